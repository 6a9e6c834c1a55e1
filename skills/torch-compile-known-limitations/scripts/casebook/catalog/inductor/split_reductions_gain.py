import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, gain_below, training_step

CONFIG = GPTConfig.large()


def training(device, split_reductions):
    """Forward, backward and AdamW in bfloat16, each block compiled by itself."""
    model = make_model(CONFIG, device=device).bfloat16()
    compile_blocks(model, "blocks.*", dynamic=False, options={"split_reductions": split_reductions})
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = training_step(model, optimizer, lambda output, _: output[1])
    return step, (*make_batch(CONFIG, device=device), None)


def off_against(device, split_reductions):
    return compare_steps(
        {
            "off": lambda: training(device, split_reductions=False),
            "other": lambda: training(device, split_reductions),
        }
    )


def symptom(device):
    return off_against(device, split_reductions=False)


def remedy(device):
    return off_against(device, split_reductions=True)


def shows(report):
    return gain_below(report, 1.05)
