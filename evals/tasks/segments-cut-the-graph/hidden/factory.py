"""Batches of twelve atoms in three molecules."""

import torch

from molly import build_molly


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [
        (torch.randint(0, 20, (12,), generator=generator), torch.tensor(sizes))
        for sizes in ([3, 4, 5], [6, 2, 4], [1, 10, 1])
    ]
    return build_molly().requires_grad_(False), calls
