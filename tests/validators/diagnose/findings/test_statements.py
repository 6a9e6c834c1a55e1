"""Which text of user code stands for a line."""

from __future__ import annotations

import pytest

from validators.diagnose.findings.statements import code_at

SOURCE = """
def forward(self, x):
    if x.isnan().any():
        raise ValueError("not a number")
    assert (
        (0 <= x) & (x < 1)
    ).all(), f"{x}"
    if (x > 1).any() \\
            or self.strict:
        x = x - 1
    elif x.sum() > 0: raise KeyError
    while (x
           .sum() > 0):
        x = x - 1
    return run(
        x,
    )
"""


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (3, 'if x.isnan().any(): raise ValueError("not a number") …'),
        (4, 'raise ValueError("not a number")'),
        (6, 'assert ( (0 <= x) & (x < 1) ).all(), f"{x}"'),
        (9, "if (x > 1).any() \\ or self.strict: x = x - 1 …"),
        (10, "x = x - 1"),
        (11, "elif x.sum() > 0: raise KeyError …"),
        (13, "while (x .sum() > 0):"),
        (16, "x,"),
        (0, ""),
        (99, ""),
    ],
)
def test_a_condition_is_told_whole(tmp_path, line, text):
    """With the first line that it guards; other lines stand for themselves."""
    file = tmp_path / "model.py"
    file.write_text(SOURCE)
    assert code_at(str(file), line) == text


SIDES = """
def forward(self, x):
    if x.sum() > 0:
        return x
    y = x + 1
    return y * 2

def factor(self, x):
    good, info = self.tried(x)
    if not info.any():
        return good
    for jitter in self.jitters:
        x = x + jitter
    return x

def clamped(self, x):
    if x.isinf().any():
        if self.strict:
            x = x.clamp(-1, 1)
    else:
        with self.exact:
            x = x * 2
    return x
"""


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (3, "if x.sum() > 0: return x"),
        (10, "if not info.any(): return good …"),
        (17, "if x.isinf().any(): if self.strict: …"),
        (18, "if self.strict: x = x.clamp(-1, 1)"),
    ],
)
def test_an_if_between_more_than_values_is_marked(tmp_path, line, text):
    """Its sides hold a loop, a block or an error; after a return, the rest is the other side."""
    file = tmp_path / "model.py"
    file.write_text(SIDES)
    assert code_at(str(file), line) == text


def test_a_file_is_read_again_once_changed(tmp_path):
    """And what is no Python has lines all the same."""
    file = tmp_path / "model.py"
    file.write_text("if x: pass")
    assert code_at(str(file), 1) == "if x: pass"
    file.write_text("if x is (: pass\n")
    assert code_at(str(file), 1) == "if x is (: pass"
    file.unlink()
    assert code_at(str(file), 1) == ""


def test_a_decorator_stands_for_what_it_decorates(tmp_path):
    """Torch begins a function at its first decorator, which tells no function from another."""
    file = tmp_path / "m.py"
    file.write_text("@first\n@second(1)\ndef forward(self):\n    return x @ y\n")
    assert [code_at(str(file), line) for line in (1, 2, 4)] == [
        *["def forward(self):"] * 2,
        "return x @ y",
    ]
