"""Lines of four lengths."""

import torch

from gist import build_gist


def example():
    generator = torch.Generator().manual_seed(5)
    calls = [(torch.randint(0, 64, (2, n), generator=generator),) for n in (12, 9, 17, 23)]
    return build_gist().requires_grad_(False), calls
