import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, gain_below, training_step

SIZES = {"debug": VLMConfig.debug(), "large": VLMConfig.large()}
BLOCKS = ("vision_encoder.blocks.*", "language_model.blocks.*")


def training(config, device, compiled):
    """Forward, backward and AdamW in bfloat16; compiled means each block by itself."""
    model = make_model(config, device=device).bfloat16()
    batch = make_batch(config, device=device)
    batch = batch._replace(images=batch.images.bfloat16())
    for pattern in BLOCKS if compiled else ():
        compile_blocks(model, pattern, dynamic=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    return training_step(model, optimizer, lambda output, _: output[1]), (*batch, None)


def against_eager(device, compiled):
    """At both sizes, an eager step against one of a second model."""
    variants, pairs = {}, {}
    for size, config in SIZES.items():
        variants[f"{size}_eager"] = lambda c=config: training(c, device, compiled=False)
        variants[size] = lambda c=config: training(c, device, compiled)
        pairs[size] = f"{size}_eager"
    eager = list(pairs.values()) if compiled else list(variants)
    return compare_steps(variants, eager=eager, against=pairs)


def symptom(device):
    return against_eager(device, compiled=False)


def remedy(device):
    return against_eager(device, compiled=True)


def shows(report):
    return gain_below(report, 1.05)
