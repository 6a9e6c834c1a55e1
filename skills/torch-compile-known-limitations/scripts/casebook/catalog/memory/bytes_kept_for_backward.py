import torch

from reference_models import gpt, toto, vlm
from validators.probes import captured_facts, compile_blocks, observe

MODELS = {
    "debug": (vlm, vlm.VLMConfig.debug(), ("vision_encoder.blocks.*", "language_model.blocks.*")),
    "toto": (toto, toto.TotoConfig.tiny(variate_every=0), ("decoder.blocks.*",)),
    "gpt": (gpt, gpt.GPTConfig.tiny(), ("blocks.*",)),
}


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


def kept_compiled(model, batch, blocks, backend):
    """The same, once the blocks are compiled, and how many of their graphs ran."""
    for pattern in blocks:
        compile_blocks(model, pattern, backend=backend, dynamic=False)
    found = []
    seen = observe(lambda: found.append(kept(model, batch)), [()], compile=lambda measure: measure)
    return found[0], sum(call.executions for call in seen.calls)


def eager_and_compiled(device, backend):
    facts = {}
    for name, (family, config, blocks) in MODELS.items():
        model = family.make_model(config, device=device)
        batch = family.make_batch(config, device=device)
        eager = kept(model, batch)
        compiled, graphs_run = kept_compiled(model, batch, blocks, backend)
        facts[f"{name}_eager"], facts[f"{name}_compiled"] = eager, compiled
        facts[f"{name}_of_eager"], facts[f"{name}_graphs_run"] = compiled / eager, graphs_run
    return facts


def symptom(device):
    return captured_facts(bytes=lambda: eager_and_compiled(device, "aot_eager_default_partitioner"))


def remedy(device):
    return captured_facts(bytes=lambda: eager_and_compiled(device, "aot_eager"))


def shows(report):
    of_eager, graphs_run = (
        [report.facts["bytes"][f"{name}_{what}"] for name in MODELS]
        for what in ("of_eager", "graphs_run")
    )
    vision_language, time_series, plain = of_eager
    assert min(graphs_run) > 0 and plain == 1, report.facts
    if vision_language >= 1 and time_series >= 1:
        return True
    assert max(vision_language, time_series) <= 0.95, "between fewer and no fewer"
    return False
