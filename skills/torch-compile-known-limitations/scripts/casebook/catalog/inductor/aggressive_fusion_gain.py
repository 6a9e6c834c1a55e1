import torch

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, gain_below, training_step

CONFIG = TotoConfig.large()


def training(device, aggressive_fusion):
    """Forward, backward and AdamW in bfloat16, each block compiled by itself."""
    model = make_model(CONFIG, device=device).bfloat16()
    options = {"aggressive_fusion": aggressive_fusion}
    compile_blocks(model, "decoder.blocks.*", dynamic=False, options=options)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    step = training_step(model, optimizer, lambda output, _: output[1])
    batch = [tensor.bfloat16() for tensor in make_batch(CONFIG, device=device)]
    return step, (*batch, None)


def off_against(device, aggressive_fusion):
    return compare_steps(
        {
            "off": lambda: training(device, aggressive_fusion=False),
            "other": lambda: training(device, aggressive_fusion),
        }
    )


def symptom(device):
    return off_against(device, aggressive_fusion=False)


def remedy(device):
    return off_against(device, aggressive_fusion=True)


def shows(report):
    return gain_below(report, 1.05)
