"""Three batches of one shape."""

import torch

from octet import build_octet


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.randn(5, 10, generator=generator),) for _ in range(3)]
    return build_octet().requires_grad_(False).double(), [(it.double(),) for (it,) in calls]
