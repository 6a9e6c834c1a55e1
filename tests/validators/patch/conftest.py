"""What the tests of `patch` share."""

from __future__ import annotations

from pathlib import Path

import pytest

from validators.patch.editing.changes import Change, Left, Scene, texts
from validators.patch.editing.source import parsed
from validators.patch.rules import RULES

CLASS = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x, t):
{body}
        return x
"""


@pytest.fixture
def apply():
    """Applies a rule to a file whose every line a finding names: the new text, and what it left."""

    def run(rule: str, code: str, trains: bool = False) -> tuple[str, list[str]]:
        source = parsed(Path("model.py"), code.encode())
        lines = frozenset(range(1, code.count("\n") + 2))
        found = list(RULES[rule](Scene(source, lines, (source,), trains)))
        changes = [it for it in found if isinstance(it, Change)]
        left = [it.reason for it in found if isinstance(it, Left)]
        after = texts(changes).get(Path("model.py"), code.encode()).decode()
        compile(after, "model.py", "exec")
        return after, left

    return run


@pytest.fixture
def in_forward(apply):
    """Applies a rule to the body of a method: the new body, and what the rule left."""

    def run(rule: str, body: str, trains: bool = False) -> tuple[str, list[str]]:
        def indented(text):
            return "".join(f"        {line}" for line in text.splitlines(keepends=True))

        after, left = apply(rule, CLASS.format(body=indented(body)), trains)
        begun = after.index("x, t):\n") + len("x, t):\n")
        lines = after[begun : after.rindex("        return x\n")].splitlines()
        return "\n".join(line.removeprefix("        ") for line in lines), left

    return run
