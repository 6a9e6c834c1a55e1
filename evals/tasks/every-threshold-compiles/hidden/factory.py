"""A sweep over more bounds than Dynamo's limit."""

import torch

from sturdy import build_sturdy


def example():
    features = torch.randn(8, 10, generator=torch.Generator().manual_seed(5))
    calls = [(features, 0.1 + 0.07 * number) for number in range(9)]
    return build_sturdy(), calls
