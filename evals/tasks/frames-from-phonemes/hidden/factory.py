"""Utterances of seven phonemes with different numbers of frames."""

import torch

from lento import build_lento


def example():
    generator = torch.Generator().manual_seed(5)
    calls = []
    for durations in ([1, 2, 3, 1, 2, 3, 4], [2, 2, 2, 2, 2, 2, 2], [4, 3, 4, 3, 4, 3, 4]):
        phonemes = torch.randint(0, 40, (7,), generator=generator)
        speaker = torch.randn(4, generator=generator)
        calls.append((phonemes, torch.tensor(durations), sum(durations), speaker))
    return build_lento().requires_grad_(False), calls
