import torch

from reference_models.vlm import VLMConfig, make_batch, merge_gather
from validators.probes import observe

CONFIG = VLMConfig.tiny(vocab_size=64)


def merge(device, batch_sizes, drawn):
    # With more threads, Inductor's error would end the process.
    torch.set_num_threads(1)
    calls = []
    for seed, batch_size in enumerate(batch_sizes):
        input_ids = drawn(make_batch(CONFIG, batch_size, seed=seed, device=device).input_ids)
        token_BTD = torch.randn(*input_ids.shape, CONFIG.lm_dim, device=device)
        image_MD = torch.randn(batch_size * CONFIG.tokens_per_image, CONFIG.lm_dim, device=device)
        calls.append((token_BTD, input_ids == CONFIG.image_token_id, image_MD))
    return observe(merge_gather, calls, backend="inductor", compare=("eager",))


def all_ids(input_ids):
    text = torch.randint(CONFIG.vocab_size, input_ids.shape, generator=torch.manual_seed(0))
    return torch.where(input_ids == CONFIG.image_token_id, input_ids, text.to(input_ids.device))


def symptom(device):
    return merge(device, (4, 8, 6, 10, 8, 12), all_ids)


def remedy(device):
    return merge(device, (2, 16, 32, 4, 32), lambda input_ids: input_ids)


def shows(report):
    differences = [call.difference.eager for call in report.calls if call.difference]
    if report.exception is not None:
        return "index out of bounds" in report.exception.message
    return max(differences) > 1e-4
