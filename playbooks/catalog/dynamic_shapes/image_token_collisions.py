import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts


def embed(device, drawn):
    """Embed synthetic prompts, by eager code and compiled; `drawn` makes text out of ids."""
    # With more threads, Inductor's error would end the process.
    torch.set_num_threads(1)
    config = VLMConfig.tiny(vit_blocks=0, lm_blocks=0)
    model = make_model(config, device=device).requires_grad_(False)
    batch = make_batch(config, batch_size=8, seq_len=64, device=device)
    input_ids = drawn(batch.input_ids, config)

    def run(embed):
        return embed(input_ids, batch.images).double().sum().item()

    return captured_facts(
        eager=lambda: run(model.embed),
        compiled=lambda: run(torch.compile(model.embed)),
    )


def all_ids(input_ids, config):
    text = torch.randint(config.vocab_size, input_ids.shape, generator=torch.manual_seed(0))
    return torch.where(input_ids == config.image_token_id, input_ids, text.to(input_ids.device))


def symptom(device):
    return embed(device, all_ids)


def remedy(device):
    return embed(device, lambda input_ids, config: input_ids)


def shows(report):
    facts = report.facts
    by_kernel = "index out of bounds: 0 <=" in facts.get("compiled.message", "")
    return facts.get("eager.exception") == "IndexError" and by_kernel
