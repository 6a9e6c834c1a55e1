"""Melodies with and without an unfinished bar."""

import torch

from bars import build_bars


def example():
    generator = torch.Generator().manual_seed(5)
    lengths = (21, 30, 13, 32, 19, 24)
    calls = [(torch.randint(48, (2, it), generator=generator),) for it in lengths]
    return build_bars().requires_grad_(False), calls
