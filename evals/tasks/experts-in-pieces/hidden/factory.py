"""Two batches of tickets that use different experts."""

import torch

from triage import build_triage


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.randint(0, 50, (3, 12), generator=generator),) for _ in range(2)]
    return build_triage().requires_grad_(False), calls
