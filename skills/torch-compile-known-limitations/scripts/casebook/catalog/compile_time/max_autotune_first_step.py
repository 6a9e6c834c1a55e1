import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_first_steps, compile_blocks, training_step

CONFIG = GPTConfig.debug()


def training(device, max_autotune):
    """Forward, backward and AdamW in bfloat16, each block compiled by itself."""
    model = make_model(CONFIG, device=device).bfloat16()
    compile_blocks(model, "blocks.*", dynamic=False, options={"max_autotune": max_autotune})
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = training_step(model, optimizer, lambda output, _: output[1])
    return step, (*make_batch(CONFIG, device=device), None)


def off_against(device, max_autotune):
    return compare_first_steps(
        {
            "off": lambda: training(device, max_autotune=False),
            "other": lambda: training(device, max_autotune),
        }
    )


def symptom(device):
    return off_against(device, max_autotune=True)


def remedy(device):
    return off_against(device, max_autotune=False)


def shows(report):
    seconds = report.facts["seconds"]
    return seconds["other"] - seconds["off"] > 30
