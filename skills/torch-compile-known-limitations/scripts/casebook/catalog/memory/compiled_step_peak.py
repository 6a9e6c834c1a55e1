import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, training_step

CONFIG = VLMConfig.large()
BLOCKS = ("vision_encoder.blocks.*", "language_model.blocks.*")


def training(device, compiled):
    """Forward, backward and AdamW in bfloat16; compiled means each block by itself."""
    model = make_model(CONFIG, device=device).bfloat16()
    batch = make_batch(CONFIG, device=device)
    batch = batch._replace(images=batch.images.bfloat16())
    for pattern in BLOCKS if compiled else ():
        compile_blocks(model, pattern, dynamic=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    return training_step(model, optimizer, lambda output, _: output[1]), (*batch, None)


def against_eager(device, compiled):
    """The peak of a step against that of an eager step of a second model."""
    variants = {
        "eager": lambda: training(device, compiled=False),
        "other": lambda: training(device, compiled),
    }
    eager = ["eager"] if compiled else list(variants)
    return compare_steps(variants, eager=eager, samples=5)


def symptom(device):
    return against_eager(device, compiled=False)


def remedy(device):
    return against_eager(device, compiled=True)


def shows(report):
    return report.facts["bytes_of"]["other"] > 0.98
