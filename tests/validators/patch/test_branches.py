"""`if` on a tensor becomes `torch.where`, and stays where a side does more than compute."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "if x.max() > 10:\n    x = x * 2",
            "x = torch.where(x.max() > 10, x * 2, x)",
        ),
        (
            "if x.isnan().any(): x = x.nan_to_num()",
            "x = torch.where(x.isnan().any(), x.nan_to_num(), x)",
        ),
        (
            "if not mask.any():\n    y = x + 1\nelse:\n    y = x - 1",
            "y = torch.where(~(mask.any()), x + 1, x - 1)",
        ),
        (
            "if (x.sum() > 0).item() > 0:\n    return x * 2\nreturn x.relu()",
            "return torch.where((x.sum() > 0) > 0, x * 2, x.relu())",
        ),
        (
            "if bool(x.sum() > 0):\n    return x * 2\nelse:\n    return -x",
            "return torch.where(x.sum() > 0, x * 2, -x)",
        ),
        (
            "if x.sum() > 0:\n    a = x * 2\n    b = a + x\nelse:\n    a = x * 3\n    b = a - x",
            "taken = x.sum() > 0\n"
            "a = torch.where(taken, x * 2, x * 3)\n"
            "b = torch.where(taken, a + x, a - x)",
        ),
        (
            "# why\nif x.max() > 10:  # large\n    # half\n    x = x / 2  # enough",
            "# why\n# large\n# half\n# enough\nx = torch.where(x.max() > 10, x / 2, x)",
        ),
    ],
)
def test_both_sides_are_computed(in_forward, before, after):
    """And the comments stay."""
    assert in_forward("branches", before) == (after, [])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if x.sum() > 0:\n    x = self.layer(x)", "a side does more than compute: self.layer(x)"),
        ("if x.sum() > 0:\n    x *= 2", "a side does more than assign or return: x *= 2"),
        ("if x.sum() > 0:\n    x = x * 2\nx += 1", "other code writes into x"),
        ("if x.sum() > 0:\n    x[0] = 1", "a side does more than assign or return: x[0] = 1"),
        ("if x.sum() > 0:\n    x = (x + 1).clamp_(0)", "a side does more than compute"),
        ("if x.sum() > 0:\n    self.last = x", "a side does more than assign or return"),
        ("if x.sum() > 0:\n    x = x.sum()", "its sides may have different shapes"),
        ("if x.sum() > 0:\n    y = x * 2", "y may have no value before the if"),
        ("if x.sum() > 0:\n    y = x\nelse:\n    z = x", "its sides assign different names"),
        ("if x.sum() > 0:\n    return x * 2\nx = x + 1", "only one side returns a value"),
        ("if self.flag and x.sum() > 0:\n    x = x * 2", "is not known to be a tensor of bools"),
        ("if self.norm(x).sum() > 0:\n    x = x * 2", "the test does more than compute"),
        ("if x.sum().item() > 0.1:\n    x = x * 2", "float32 rounds the number"),
        (
            "if x.sum() > 0:\n    x = x * 2\nelif x.sum() < -9:\n    x = x * 3",
            "it has an elif",
        ),
    ],
)
def test_what_is_not_mechanical_stays(in_forward, body, reason):
    """With a reason."""
    after, left = in_forward("branches", body)
    assert after == body
    assert left and all(reason in it or "elif" in it for it in left), left


def test_gradients_of_the_other_side_count(in_forward):
    """A division that is not taken can give NaN; only training minds."""
    body = "if x.sum() > 0:\n    x = x / x.sum()"
    assert "torch.where" in in_forward("branches", body)[0]
    after, left = in_forward("branches", body, trains=True)
    assert after == body
    assert left == ["the gradient of a side that is not taken may be NaN: x / x.sum()"]
    halved = "if x.sum() > 0:\n    x = x / 2"
    assert "torch.where" in in_forward("branches", halved, trains=True)[0]


def test_a_branch_on_a_size_is_left_in_peace(in_forward):
    """Dynamo decides it while it traces."""
    body = "if self.training:\n    x = x * 2"
    assert in_forward("branches", body) == (body, [])
