"""Requests as serve.py makes them, more hours than Dynamo's limit."""

import torch

from meterbox import build_curve


def example():
    load = torch.rand(5, 7, 24, generator=torch.Generator().manual_seed(3))
    calls = [(load, (7 + 5 * request) % 24) for request in range(9)]
    return build_curve(), calls
