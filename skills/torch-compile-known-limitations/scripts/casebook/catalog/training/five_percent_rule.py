import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, gain_within, training_step

SIZES = {"debug": GPTConfig.debug(), "large": GPTConfig.large()}


def training(config, device, compiled=True):
    """Forward, backward and AdamW in bfloat16; compiled means each block by itself."""
    model = make_model(config, device=device).bfloat16()
    if compiled:
        compile_blocks(model, "blocks.*", dynamic=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = training_step(model, optimizer, lambda output, _: output[1])
    return step, (*make_batch(config, device=device), None)


def compiled_against(device, compiled):
    """At both sizes, a compiled step against one of a second model."""
    variants, pairs = {}, {}
    for size, config in SIZES.items():
        variants[f"{size}_other"] = lambda c=config: training(c, device, compiled)
        variants[size] = lambda c=config: training(c, device)
        pairs[size] = f"{size}_other"
    return compare_steps(variants, eager=[] if compiled else list(pairs.values()), against=pairs)


def symptom(device):
    return compiled_against(device, compiled=True)


def remedy(device):
    return compiled_against(device, compiled=False)


def shows(report):
    return gain_within(report, 1.05)
