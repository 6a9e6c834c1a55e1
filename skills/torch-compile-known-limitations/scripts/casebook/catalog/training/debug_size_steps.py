import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import compare_steps, gain_below, training_step

INPUTS = {"image_size": 224, "patch_size": 16, "vocab_size": 49152, "seq_len": 256}
SIZE = {"batch_size": 8, **INPUTS}
FULL = VLMConfig(
    vit_dim=768,
    vit_heads=12,
    vit_blocks=12,
    vit_mlp_dim=3072,
    lm_dim=960,
    lm_heads=15,
    lm_kv_heads=5,
    lm_blocks=32,
    lm_mlp_dim=2560,
    **SIZE,
)
NARROW = VLMConfig(vit_blocks=12, lm_blocks=32, **SIZE)
DEBUG = VLMConfig(vit_blocks=4, lm_blocks=4, **SIZE)


def training(config, device):
    model = make_model(config, device=device).bfloat16()
    batch = make_batch(config, device=device)
    batch = batch._replace(images=batch.images.bfloat16())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    return training_step(model, optimizer, lambda output, _: output[1]), (*batch, None)


def full_against(smaller, device):
    variants = {
        "full": lambda: training(FULL, device),
        "smaller": lambda: training(smaller, device),
    }
    return compare_steps(variants, eager=variants)


def symptom(device):
    return full_against(NARROW, device)


def remedy(device):
    return full_against(DEBUG, device)


def shows(report):
    return gain_below(report, 3)
