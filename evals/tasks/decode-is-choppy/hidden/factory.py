"""A prompt and single tokens, beyond the trained context, as decode.py makes them."""

import torch

from scribe import build_decoder


def example():
    calls = [(torch.tensor([[3, 1, 4, 1, 5]]),)]
    calls += [(torch.tensor([[token]]),) for token in (9, 2, 6, 5)]
    return build_decoder().requires_grad_(False), calls
