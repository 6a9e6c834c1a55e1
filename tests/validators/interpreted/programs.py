"""Prints, as JSON, what compiled programs compute whose code is a GPU's, beside eager mode."""

from __future__ import annotations

import json
from unittest import mock

from validators.interpreted import code
from validators.pretended.install import install

install()
code.install()

import torch  # noqa: E402
from torch._inductor.graph import GraphLowering  # noqa: E402


def loops(x):
    """A reduction of what a math library computes."""
    return torch.expm1(x.atan2(x + 1)).sum(-1), (x > 0).any()


def product(x):
    """A library call between kernels, and a tensor that the graph makes itself."""
    return (x.sin() @ x).relu() + torch.arange(8, device=x.device)


def written(x):
    """An argument is changed in place."""
    x.mul_(2)
    return x.t().contiguous()


found = {}
for function in (loops, product, written):
    codes: list[str] = []
    x = torch.linspace(-2, 2, 64).view(8, 8).requires_grad_(function is not written)
    mine, theirs = (x.detach().clone().requires_grad_(x.requires_grad) for _ in range(2))
    with mock.patch.object(GraphLowering, "save_output_code", staticmethod(codes.append)):
        made, expected = torch.compile(function)(mine), function(theirs)
        for result in (made, expected):
            first = result[0] if isinstance(result, tuple) else result
            if first.requires_grad:
                first.sum().backward()
    torch.testing.assert_close(made, expected)
    torch.testing.assert_close((mine, mine.grad), (theirs, theirs.grad))
    found[function.__name__] = {
        "graphs": len(codes),
        "triton": all("@triton.jit" in it for it in codes),
        "libraries": any("libdevice." in it for it in codes),
    }
print(json.dumps(found))
