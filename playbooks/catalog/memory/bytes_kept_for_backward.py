import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts, compile_blocks

SIZES = {
    "debug": (VLMConfig.debug(), {}),
    "large": (VLMConfig.large(), {"batch_size": 1, "seq_len": 64}),
}
BLOCKS = ("vision_encoder.blocks.*", "language_model.blocks.*")


def kept(model, batch):
    """Bytes that a forward keeps for its backward, beside weights and inputs."""
    own = (*batch, *model.parameters(), *model.buffers())
    given = {tensor.untyped_storage().data_ptr() for tensor in own}
    storages = {}

    def keep(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in given:
            storages[storage.data_ptr()] = storage
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model(*batch)
    return sum(storage.nbytes() for storage in storages.values())


def eager_and_compiled(device, backend):
    facts = {}
    for size, (config, inputs) in SIZES.items():
        model, batch = (
            make_model(config, device=device),
            make_batch(config, device=device, **inputs),
        )
        facts[f"{size}_eager"] = kept(model, batch)
        for pattern in BLOCKS:
            compile_blocks(model, pattern, backend=backend, dynamic=False)
        facts[f"{size}_compiled"] = kept(model, batch)
        facts[f"{size}_of_eager"] = facts[f"{size}_compiled"] / facts[f"{size}_eager"]
    return facts


def symptom(device):
    return captured_facts(bytes=lambda: eager_and_compiled(device, "aot_eager_default_partitioner"))


def remedy(device):
    return captured_facts(bytes=lambda: eager_and_compiled(device, "aot_eager"))


def shows(report):
    shares = [report.facts["bytes"][f"{size}_of_eager"] for size in SIZES]
    if min(shares) >= 1:
        return True
    assert max(shares) <= 0.95, "between fewer and no fewer"
    return False
