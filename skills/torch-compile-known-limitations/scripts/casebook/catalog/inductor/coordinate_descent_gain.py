import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import compare_steps, gain_below, training_step

CONFIG = VLMConfig.large()


def training(device, coordinate_descent_tuning):
    """Forward, backward and AdamW of one attention layer, rotary positions included."""
    language_model = make_model(CONFIG, device=device).language_model.bfloat16()
    attention = language_model.blocks[0].attention
    shape = (CONFIG.batch_size, CONFIG.seq_len, CONFIG.lm_dim)
    x_BTD = torch.randn(shape, device=device, dtype=torch.bfloat16, requires_grad=True)
    position_T = torch.arange(CONFIG.seq_len, device=device)
    rotations = language_model.rotary(position_T.repeat(CONFIG.batch_size, 1))
    optimizer = torch.optim.AdamW(attention.parameters(), lr=1e-4)
    step = training_step(attention, optimizer, lambda y_BTD, _: y_BTD.float().square().mean())
    options = {"coordinate_descent_tuning": coordinate_descent_tuning}
    step.compile_in_place(dynamic=False, options=options)
    return step, (x_BTD, *rotations, position_T, None, None, None)


def off_against(device, coordinate_descent_tuning):
    return compare_steps(
        {
            "off": lambda: training(device, coordinate_descent_tuning=False),
            "other": lambda: training(device, coordinate_descent_tuning),
        }
    )


def symptom(device):
    return off_against(device, coordinate_descent_tuning=False)


def remedy(device):
    return off_against(device, coordinate_descent_tuning=True)


def shows(report):
    return gain_below(report, 1.05)
