import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts

CONFIG = VLMConfig.tiny(vit_blocks=0, lm_blocks=0, vocab_size=64)


def embed(device, batch_sizes, drawn):
    model = make_model(CONFIG, device=device).requires_grad_(False)
    compiled = torch.compile(model.embed, fullgraph=True)

    def largest_difference():
        differences = []
        for seed, batch_size in enumerate(batch_sizes):
            batch = make_batch(CONFIG, batch_size, seed=seed, device=device)
            input_ids = drawn(batch.input_ids)
            x_BTD = compiled(input_ids, batch.images)
            # Waits for the kernel: its error belongs to this call, not to eager's.
            difference_BTD = x_BTD.cpu() - model.embed(input_ids, batch.images).cpu()
            differences.append(difference_BTD.abs().max().item())
        return max(differences)

    return captured_facts(difference=largest_difference)


def all_ids(input_ids):
    text = torch.randint(CONFIG.vocab_size, input_ids.shape, generator=torch.manual_seed(0))
    return torch.where(input_ids == CONFIG.image_token_id, input_ids, text.to(input_ids.device))


def symptom(device):
    return embed(device, (4, 8, 6, 10, 8, 12), all_ids)


def remedy(device):
    return embed(device, (2, 16, 32, 4, 32), lambda input_ids: input_ids)


def shows(report):
    if "difference.message" in report.facts:
        return "device-side assert" in report.facts["difference.message"]
    return report.facts["difference"] > 1e-4
