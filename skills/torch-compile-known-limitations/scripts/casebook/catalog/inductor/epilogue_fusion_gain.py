import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, gain_below, training_step

CONFIG = GPTConfig.large()


def training(device, epilogue_fusion):
    """Forward, backward and AdamW in bfloat16, each block compiled by itself."""
    model = make_model(CONFIG, device=device).bfloat16()
    compile_blocks(model, "blocks.*", dynamic=False, options={"epilogue_fusion": epilogue_fusion})
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = training_step(model, optimizer, lambda output, _: output[1])
    return step, (*make_batch(CONFIG, device=device), None)


def off_against(device, epilogue_fusion):
    return compare_steps(
        {
            "off": lambda: training(device, epilogue_fusion=False),
            "other": lambda: training(device, epilogue_fusion),
        }
    )


def symptom(device):
    return off_against(device, epilogue_fusion=False)


def remedy(device):
    return off_against(device, epilogue_fusion=True)


def shows(report):
    return gain_below(report, 1.05)
