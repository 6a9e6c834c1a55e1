"""An output that is kept from an earlier call takes the values of a later call with CUDA graphs.

cause: aliasing and mutation
issue: pytorch/pytorch#122192
avoid: Clone the output outside the compiled region before it is kept.
needs: cuda
"""

import torch

compile = {"mode": "reduce-overhead"}
kept = []


def inputs():
    kept.clear()
    return [(torch.full((4,), float(k), device="cuda"),) for k in range(6)]


@torch.compiler.disable
def fourth(y, clone=False):
    kept.append(y.clone() if clone else y)
    return kept[min(len(kept), 4) - 1].clone()


def call(x):
    return fourth(x * 2)


def instead(x):
    return fourth(x * 2, clone=True)
