import torch

from reference_models.vlm import VLMConfig, make_batch, merge_gather
from validators.probes import captured_facts


def embed(device, drawn):
    """Merge synthetic prompts, by eager code and compiled; `drawn` makes text out of ids."""
    # With more threads, Inductor's error would end the process.
    torch.set_num_threads(1)
    config = VLMConfig.tiny()
    input_ids = drawn(make_batch(config, batch_size=8, seq_len=64, device=device).input_ids, config)
    token_BTD = torch.randn(*input_ids.shape, config.lm_dim, device=device)
    image_MD = torch.randn(8 * config.tokens_per_image, config.lm_dim, device=device)

    def run(merge):
        is_image_BT = input_ids == config.image_token_id
        return merge(token_BTD, is_image_BT, image_MD).double().sum().item()

    return captured_facts(
        eager=lambda: run(merge_gather),
        compiled=lambda: run(torch.compile(merge_gather)),
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
    if "eager" in facts:
        assert abs(facts["compiled"] - facts["eager"]) < 1e-6, facts
        return False
    by_kernel = "index out of bounds: 0 <=" in facts.get("compiled.message", "")
    return facts["eager.exception"] == "IndexError" and by_kernel
