import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts

CONFIG = VLMConfig.tiny(vit_blocks=0, lm_blocks=0, vocab_size=64)


def embed(device, batch_sizes, drawn):
    # In TF32, which cuDNN takes by default, two convolutions of the same numbers differ by 3e-4.
    torch.backends.cudnn.allow_tf32 = False
    model = make_model(CONFIG, device=device).requires_grad_(False)
    compiled = torch.compile(model.embed, fullgraph=True)
    batches = [
        make_batch(CONFIG, size, seed=i, device=device) for i, size in enumerate(batch_sizes)
    ]
    calls = [(drawn(batch.input_ids), batch.images) for batch in batches]
    fits = [
        (input_ids == CONFIG.image_token_id).sum().item() == len(images) * CONFIG.tokens_per_image
        for input_ids, images in calls
    ]

    def largest_difference():
        differences = []
        for call in calls:
            x_BTD = compiled(*call)
            # Waits for the kernel: its error belongs to this call, not to eager's.
            difference_BTD = x_BTD.cpu() - model.embed(*call).cpu()
            differences.append(difference_BTD.abs().max().item())
        return max(differences)

    return captured_facts(ids_fit=lambda: all(fits), difference=largest_difference)


def all_ids(input_ids):
    text = torch.randint(CONFIG.vocab_size, input_ids.shape, generator=torch.manual_seed(0))
    return torch.where(input_ids == CONFIG.image_token_id, input_ids, text.to(input_ids.device))


def symptom(device):
    return embed(device, (4, 8, 6, 10, 8, 12), all_ids)


def remedy(device):
    return embed(device, (2, 16, 32, 4, 32), lambda input_ids: input_ids)


def shows(report):
    facts = report.facts
    if facts["ids_fit"]:
        return "difference.exception" in facts or facts["difference"] > 1e-4
    return "device-side assert" in facts.get("difference.message", "")
