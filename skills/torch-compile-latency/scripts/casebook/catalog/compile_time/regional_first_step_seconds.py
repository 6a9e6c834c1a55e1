import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import compare_first_steps, compile_blocks, training_step

BLOCKS = ("vision_encoder.blocks.*", "language_model.blocks.*")


def training(config, device, whole):
    """Forward, backward and AdamW, compiled as one graph or each block by itself."""
    model = make_model(config, device=device).bfloat16()
    batch = make_batch(config, device=device)
    batch = batch._replace(images=batch.images.bfloat16())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = training_step(model, optimizer, lambda output, _: output[1])
    if whole:
        step.compile_in_place(dynamic=False)
    for pattern in () if whole else BLOCKS:
        compile_blocks(model, pattern, dynamic=False)
    return step, (*batch, None)


def first_steps(device, **blocks):
    config = VLMConfig.debug(**blocks)
    return compare_first_steps(
        {
            "whole": lambda: training(config, device, whole=True),
            "blocks": lambda: training(config, device, whole=False),
        }
    )


def symptom(device):
    return first_steps(device, vit_blocks=1, lm_blocks=1)


def remedy(device):
    return first_steps(device)


def shows(report):
    return report.facts["gain"]["blocks"] < 4
