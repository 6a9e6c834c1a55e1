"""Programs of PyTorch's tracker whose compiled results are silently wrong on torch 2.13."""

from __future__ import annotations

import random

import torch
from torch import nn


def by_queries(q, k, v):
    """Let queries compete."""
    return (q @ k.transpose(-2, -1) * 0.25).softmax(-2) @ v


def softmax_over_queries():
    """Inductor takes it for attention."""
    return by_queries, [tuple(torch.randn(1, 2, tokens, 16) for tokens in (3, 8, 8))]


class Permuted(nn.Module):
    def forward(self, q, k, v):
        """Attend to keys that one `permute` has moved."""
        q, v = q.transpose(1, 2), v.transpose(1, 2)
        return (q @ k.permute(0, 2, 3, 1) * 0.25).softmax(-1) @ v


def permuted_keys():
    """Inductor takes the keys for transposed ones."""
    return Permuted().eval(), [tuple(torch.randn(1, 8, 8, 16) for _ in range(3))]


class WarmUp(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(()))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        """Count, then read."""
        self.steps += 1
        return self.layer(x) * self.steps


def buffer_updated_then_read():
    """The backward pass counts once more."""
    return WarmUp(), [(torch.ones(2, 4),), (torch.ones(2, 4),)]


class Decay(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("rate", torch.tensor(0.5))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        """Read, then halve."""
        y = self.layer(x) * (1 - self.rate)
        self.rate.mul_(0.5)
        return y


def buffer_read_then_updated():
    """The backward pass reads what is halved."""
    return Decay(), [(torch.ones(2, 4),)]


def jitter(x):
    """Scale by a random number."""
    return x * random.uniform(0.0, 1.0)


def random_uniform():
    """Inductor draws another one."""
    return jitter, [(torch.ones(3),)]


def clip(x, bound):
    """Have a bound that is a float."""
    return x.clamp(max=bound) * 2


def float_bound():
    """A cache gives back the code for an older bound."""
    return clip, [(torch.ones(4, requires_grad=True), it) for it in (0.25, 0.2, 0.15)]


def update(total, loss):
    """Add to a scalar."""
    total.add_(loss)


def float64_scalar():
    """It keeps its old value."""
    return update, [(torch.zeros((), dtype=torch.float64), torch.tensor(1.0))]


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    @torch.autocast("cpu", dtype=torch.bfloat16)
    @torch.compile(fullgraph=True)
    def step(self, x):
        """Compute in bfloat16."""
        return self.layer(x).relu()

    def forward(self, x):
        """Take a step."""
        return self.step(x)


def decorator_dropped():
    """Dynamo traces what is below both decorators."""
    return Sampler().eval(), [(torch.randn(2, 8),)]
