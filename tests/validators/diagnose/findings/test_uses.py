"""What a number is used as that code reads out of a tensor."""

from __future__ import annotations

import ast

import pytest

from validators.diagnose.findings.statements import code_at
from validators.diagnose.findings.uses import use_at

USES = {
    "torch.zeros(n.item(), 4)": ("a size", 0),
    "x.view(2, int(n))": ("a size", 0),
    "x[: n.item()]": ("an index", 0),
    "x[n.item()]": ("an index", 0),
    "y = x.sum() if n.item() else x": ("a condition", 0),
    "assert n.max().item() < 9": ("a condition", 0),
    "scatter(x, dim_size=int(n.max()) + 1)": ("a size", 0),
    "m = int(n.max().item())\nif m > 2:\n    x = x + 1": ("a condition", 2),
    "m = n.item()\nk = max(m, 1)\nx = x.new_zeros(k)": ("a size", 3),
    "m = n.item()\nwhile x.sum() < m:\n    x = x + 1": ("a condition", 2),
    "m = n.item()\ny = x * m": ("", 0),
    "m = n.item()\ny = other(m)": ("", 0),
    "m = n\nif m:\n    pass": ("", 0),
    "y = x.item(0)": ("", 0),
}


@pytest.mark.parametrize("code", USES)
def test_sizes_indices_and_conditions_are_told_from_numbers(code):
    """At once, or by the names that the number gets; not in another function."""
    assert use_at(ast.parse(code), 1) == USES[code]
    body = "".join(f"    {line}\n" for line in code.splitlines())
    use, line = USES[code]
    inner = ast.parse(f"m = 1\ndef f(x, n):\n{body}\ndef g(m):\n    return x[m]\n")
    assert use_at(inner, 3) == (use, line and line + 2)


def test_a_line_ends_with_what_its_number_is_used_as(tmp_path):
    """So that a page can look for it."""
    file = tmp_path / "m.py"
    file.write_text("def f(x):\n    n = x.max().item()\n    y = x * 2\n    return y[:n]\n")
    assert code_at(str(file), 2) == "n = x.max().item()  # used as an index: return y[:n]"
    assert code_at(str(file), 3) == "y = x * 2"
