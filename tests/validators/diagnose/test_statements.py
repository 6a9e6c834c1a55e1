"""Which text of user code stands for a line."""

from __future__ import annotations

import pytest

from validators.diagnose.statements import code_at

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
        (3, 'if x.isnan().any(): raise ValueError("not a number")'),
        (4, 'raise ValueError("not a number")'),
        (6, 'assert ( (0 <= x) & (x < 1) ).all(), f"{x}"'),
        (9, "if (x > 1).any() \\ or self.strict: x = x - 1"),
        (10, "x = x - 1"),
        (11, "elif x.sum() > 0: raise KeyError"),
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


def test_a_file_is_read_again_once_changed(tmp_path):
    """And what is no Python has lines all the same."""
    file = tmp_path / "model.py"
    file.write_text("if x: pass")
    assert code_at(str(file), 1) == "if x: pass"
    file.write_text("if x is (: pass\n")
    assert code_at(str(file), 1) == "if x is (: pass"
    file.unlink()
    assert code_at(str(file), 1) == ""
