import torch

from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_steps, gain_below

CONFIG = GPTConfig.debug()


def made(device):
    """A model in bfloat16 that serves, and its arguments."""
    model = make_model(CONFIG, device=device).bfloat16().requires_grad_(False)
    return model, (make_batch(CONFIG, device=device).input_ids,)


def autotuned(device):
    model, args = made(device)

    def forward(token_ids):
        return model(token_ids)

    return torch.compile(forward, mode="max-autotune", dynamic=False), args


def other(device, mode):
    model, args = made(device)

    # Not the function above: variants of one code object are tried one after another, which
    # would delay one of the two.
    def forward(token_ids):
        return model(token_ids)

    return torch.compile(forward, mode=mode, dynamic=False), args


def autotuned_against(device, mode):
    return compare_steps(
        {"autotuned": lambda: autotuned(device), "other": lambda: other(device, mode)}
    )


def symptom(device):
    return autotuned_against(device, "max-autotune-no-cudagraphs")


def remedy(device):
    return autotuned_against(device, "max-autotune")


def shows(report):
    return gain_below(report, 0.95)
