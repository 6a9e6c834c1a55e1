"""Numbers read out of tensors to index with stay tensors."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = x[:, t.item()]", "x = x[:, t.reshape(1)].squeeze(1)"),
        ("x = x[int(t) : int(t) + 1]", "x = x[t.reshape(1)]"),
        ("x = x[int(x.shape[0] / 2)]", "x = x[int(x.shape[0] / 2)]"),
        ("x = x[int(t)]", "x = x[t.reshape(1)].squeeze(0)"),
        ("x = x[..., int(t.item()), :2]", "x = x[..., t.reshape(1), :2].squeeze(-2)"),
        (
            "n = t.item()\nx = x[:, n : n + 1] + x[:, n - 1]  # two",
            "n = t.reshape(1).clone()\nx = x[:, n] + x[:, n - 1].squeeze(1)  # two",
        ),
        ("n = int(t.max())\nx = x[n]", "n = t.max().reshape(1)\nx = x[n].squeeze(0)"),
        (
            "n = self.length.item()\nself.keys[:, n : n + x.shape[1]] = x",
            "n = self.length.reshape(1).clone()\n"
            "self.keys.index_copy_(1, n + torch.arange(x.shape[1], device=x.device), x)",
        ),
    ],
)
def test_an_index_stays_a_tensor(in_forward, before, after):
    """Of one element, since Dynamo reads a tensor without dims."""
    assert in_forward("indices", before) == (after, [])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("x = x * t.item()", "is used as a Python number"),
        ("n = t.item()\nx = x[:n]", "depends on the number"),
        ("n = t.item()\nx = x[n] * n", "is used as a Python number"),
        ("y = x[t.item()]\ny += 1", "writes into what it reads"),
        ("x[t.item()].zero_()", "writes into what it reads"),
        ("n = t.item()\nn = n + 1\nx = x[n]", "gets another value as well"),
        ("x = self.layers[t.item()](x)", "is called, so it is not a tensor"),
        ("x = x[0, t.item()]", "it indexes other dims as well"),
        ("x[t.item()] = x[0]", "it writes an element"),
        ("n = t.item()\nx[:, n : n + 2] = x[:, :2]", "may have another length"),
        ("n = t.item()\nx = x[:, n : n + t.shape[0]]", "it reads t.shape[0] elements"),
    ],
)
def test_other_uses_stay(in_forward, body, reason):
    """With a reason."""
    after, left = in_forward("indices", body)
    assert after == body
    assert len(left) == 1 and reason in left[0], left
