import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe

CONFIG = VLMConfig.tiny(vit_blocks=0, lm_blocks=0, vocab_size=64)


def embed(device, batch_sizes, drawn):
    # With more threads, Inductor's error would end the process.
    torch.set_num_threads(1)
    model = make_model(CONFIG, device=device).requires_grad_(False)
    calls = []
    for seed, batch_size in enumerate(batch_sizes):
        batch = make_batch(CONFIG, batch_size, seed=seed, device=device)
        calls.append((drawn(batch.input_ids), batch.images))
    return observe(model.embed, calls, backend="inductor", compare=("eager",))


def all_ids(input_ids):
    text = torch.randint(CONFIG.vocab_size, input_ids.shape, generator=torch.manual_seed(0))
    return torch.where(input_ids == CONFIG.image_token_id, input_ids, text.to(input_ids.device))


def symptom(device):
    return embed(device, (4, 8, 6, 10, 8, 12), all_ids)


def remedy(device):
    return embed(device, (2, 16, 32, 4, 32), lambda input_ids: input_ids)


def shows(report):
    differences = [call.difference.eager for call in report.calls if call.difference]
    if report.exception is not None:
        return "index out of bounds" in report.exception.message
    return max(differences) > 1e-4
