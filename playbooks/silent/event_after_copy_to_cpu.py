"""`synchronize` of an event is dropped: the CPU reads a copy that has not arrived.

cause: unfaithful tracing
issue: pytorch/pytorch#174695
avoid: Copy without `non_blocking`.
needs: cuda
"""

import torch


def inputs():
    one = torch.eye(2048, device="cuda")
    return [(torch.full((2048, 2048), 10.0**k, device="cuda"), one) for k in range(1, 5)]


def call(x, one, wait=False):
    for _ in range(32):
        x = x @ one
    y = x[0, :8].to("cpu", non_blocking=not wait)
    event = torch.Event()
    event.record()
    event.synchronize()
    return y + 1


def instead(x, one):
    return call(x, one, wait=True)
