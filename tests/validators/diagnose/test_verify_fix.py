"""`verify-fix`: a fix is verified, and every kind of cheat is refused."""

from __future__ import annotations

import json
import re

import pytest

from tests.commands import call
from validators.cli import main

MODEL = """import torch
from torch import nn
{top}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        {line}
        return self.layer(x).relu().cumsum(0)


def example():
    {setup}
    return Net(), {calls}{loss}
"""
BROKEN = {
    "top": "",
    "line": "if x.sum() > 0: x = x * 2",
    "setup": "torch.manual_seed(0)",
    "calls": "[(torch.randn(n, 4),) for n in (3, 5)]",
    "loss": "",
}
FIX = "x = torch.where(x.sum() > 0, x * 2, x)"


@pytest.fixture
def verify(tmp_path, warm):
    """Runs `verify-fix` on two forms of a model; the second changes parts of the first."""

    def run(before: dict[str, str] | None = None, backend: str = "eager", **after: str):
        (tmp_path / "before.py").write_text(MODEL.format(**BROKEN | (before or {})))
        (tmp_path / "after.py").write_text(MODEL.format(**BROKEN | (before or {}) | after))
        words = ("verify-fix", "before.py:example", "after.py:example", "--json")
        done = call(main, *words, "--backend", backend, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done, json.loads(done.stdout) if done.stdout else {}

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "backend"), [("", "inductor"), (", lambda y: y.square().mean()", "aot_eager")]
)
def test_a_fix_is_verified(verify, loss, backend):
    """With fewer breaks and equal results, in inference and in training."""
    done, found = verify({"loss": loss}, backend, line=FIX)
    assert done.returncode == 0, done.stderr + done.stdout
    assert found["refused"] == []
    assert found["after"]["breaks"] == 0 < found["before"]["breaks"]
    assert found["made_up"] > found["calls"]


CHEATS = {
    "other results": ({"line": "x = x * 2"}, "it computes something else"),
    "disable": (
        {
            "top": "@torch.compiler.disable\ndef grown(x): return x * 2 if x.sum() > 0 else x\n",
            "line": "x = grown(x)",
        },
        "nothing compiles better|stopped compiling",
    ),
    "the whole model disabled": (
        {"setup": "Net.forward = torch.compiler.disable(Net.forward)"},
        "stopped compiling",
    ),
    "errors suppressed": (
        {"line": FIX, "setup": "torch._dynamo.config.suppress_errors = True"},
        "suppress_errors to True",
    ),
    "a higher limit": (
        {"line": FIX, "setup": "torch._dynamo.config.recompile_limit = 999"},
        "recompile_limit to 999",
    ),
    "an answer made in set-up": (
        {"line": "return self.answer[: len(x)]", "setup": "Net.answer = torch.zeros(9, 4)"},
        "it computes something else",
    ),
    "nothing": ({"top": "# nothing changed"}, "nothing compiles better than before"),
    "other calls": (
        {"calls": "[(torch.full((3, 4), -1.0),)]"},
        "nothing compiles better than before",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_refused(verify, cheat):
    """And the reason says what it does."""
    changes, said = CHEATS[cheat]
    done, found = verify(**changes)
    assert done.returncode == 1, done.stderr + done.stdout
    assert any(re.search(said, it) for it in found["refused"]), found["refused"]


@pytest.mark.slow
def test_other_parameters_cannot_be_compared(verify):
    """One sentence, exit status 2."""
    done, _ = verify(setup="Net.__init__ = lambda self: nn.Module.__init__(self)", line=FIX)
    assert done.returncode == 2
    assert "the parameters differ" in done.stderr
