import torch
from torch.utils.flop_counter import FlopCounterMode

from reference_models.vlm import (
    VisionLanguageModel,
    VLMConfig,
    make_batch,
    parameter_count,
)
from validators.probes import captured_facts

SIZE = {"batch_size": 8, "seq_len": 256, "image_size": 224, "patch_size": 16, "vocab_size": 49152}
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


def step(config):
    """FLOPs of forward and backward in matrix products and attention, and the parameters."""
    with torch.device("meta"):
        model = VisionLanguageModel(config)
    batch = make_batch(config, device="meta")
    with FlopCounterMode(display=False) as counter:
        model(*batch)[1].backward()
    return counter.get_total_flops(), parameter_count(model)


def full_against(smaller):
    (full_flops, full_parameters), (flops, parameters) = step(FULL), step(smaller)
    return captured_facts(
        fewer_flops=lambda: full_flops / flops,
        fewer_parameters=lambda: full_parameters / parameters,
    )


def symptom(_device):
    return full_against(NARROW)


def remedy(_device):
    return full_against(DEBUG)


def shows(report):
    return report.facts["fewer_flops"] < 20
