"""Dims that vary are marked in the factory's calls, and repeated blocks compiled one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import call
from tests.validators.diagnose.explaining.test_marks import group, tried
from validators.cli import main
from validators.patch.editing.changes import Change, Left, Scene, texts
from validators.patch.editing.source import parsed
from validators.patch.rules import RULES

FILE = Path("model.py")
HEAD = "import torch\n\n\ndef example():\n    torch.manual_seed(0)\n"


def marked(code: str, form: str = "tuple", **told) -> tuple[str, list[str]]:
    """A file whose factory's calls are marked, and why they are not."""
    dims = group(tried(2), tried(2), [["x", 0]], dims=[["0", 0]], optional=[], **told)
    shapes = {"graphs": 3, "varying": [dims], "together": None, "form": form}
    return applied("calls", code, Scene, factory="example", shapes=shapes)


def applied(rule: str, code: str, make=Scene, **more) -> tuple[str, list[str]]:
    """What a rule makes of a file, and what it left."""
    source = parsed(FILE, code.encode())
    found = list(RULES[rule](make(source, frozenset(), (source,), False, **more)))
    changes = [it for it in found if isinstance(it, Change)]
    after = texts(changes).get(FILE, code.encode()).decode()
    compile(after, "model.py", "exec")
    return after, [it.reason for it in found if isinstance(it, Left)]


def test_the_order_of_what_the_factory_makes_stays():
    """Random numbers are drawn as before."""
    after, left = marked(f"{HEAD}    return Net(), [(torch.ones(2),)], loss  # why\n")
    assert left == []
    assert after == (
        f"{HEAD}    model, calls, loss_ = Net(), [(torch.ones(2),)], loss\n"
        "    for call in calls:\n"
        "        torch._dynamo.mark_dynamic(call[0], 0)\n"
        "    return model, calls, loss_  # why\n"
    )


@pytest.mark.parametrize(
    ("form", "told", "lines"),
    [
        ("tuple", {}, ["mark(call[0], 0)"]),
        ("tensor", {}, ["mark(call, 0)"]),
        ("pair", {}, ["mark(call[0][0], 0)"]),
        ("dict", {"dims": [["x", 1]]}, ['mark(call["x"], 1)']),
        ("pair", {"dims": [["x", 1]]}, ['mark(call[1]["x"], 1)']),
        ("tuple", {"dims": [["0[1]", 0], ["1", 0]]}, ["mark(call[0][1], 0)", "mark(call[1], 0)"]),
        ("dict", {"dims": [['batch["x"]', 0]]}, ['mark(call["batch"]["x"], 0)']),
        ("tuple", {"optional": ["0"]}, ["if call[0] is not None:", "    mark(call[0], 0)"]),
    ],
)
def test_each_form_of_a_call(form, told, lines):
    """Where a name holds the calls, only the marks are added."""
    told = {"dims": [["0", 0]], "optional": [], **told}
    dims = group(tried(2), tried(2), [["x", 0]], **told)
    shapes = {"graphs": 3, "varying": [dims], "together": None, "form": form}
    code = f"{HEAD}    made = []\n    return Net(), made\n"
    after, _ = applied("calls", code, factory="example", shapes=shapes)
    body = "".join(f"        {it}\n" for it in lines)
    assert after.replace("torch._dynamo.mark_dynamic", "mark") == code.replace(
        "    return", f"    for call in made:\n{body}    return"
    )


@pytest.mark.parametrize(
    ("body", "form", "reason"),
    [
        ("return make()", "tuple", "does not return its calls in one tuple"),
        ("return *make(), loss", "tuple", "does not return its calls in one tuple"),
        ("x = 1; return Net(), made", "tuple", "in a line with other statements"),
        ("if x:\n        return a, b\n    return c, d", "tuple", "returns at several places"),
        ("return Net(), made", "", "its calls have several forms"),
    ],
)
def test_calls_that_are_left(body, form, reason):
    """With a reason."""
    code = f"{HEAD}    {body}\n"
    after, left = marked(code, form)
    assert after == code
    assert len(left) == 1 and reason in left[0], left


def test_marks_that_save_nothing_are_not_made():
    """Nor in another file than the target's."""
    code = f"{HEAD}    return Net(), made\n"
    assert applied("calls", code, factory="example", shapes={}) == (code, [])
    assert applied("calls", code) == (code, [])


BLOCKS = """import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return x + self.layer(x).relu()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(4))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def trained():
    net = Net()
    # Fast.
    fast = torch.compile(net, mode="default", fullgraph=True)  # whole
    return fast


def example():
    torch.manual_seed(0)
    return Net(), [(torch.randn(n, 8),) for n in (2, 3)]
"""
WHOLE = '    fast = torch.compile(net, mode="default", fullgraph=True)  # whole\n'
REGIONS = (
    "    # whole\n"
    "    for block in net.blocks:\n"
    '        block.compile(mode="default", fullgraph=True)\n'
    "    fast = net\n"
)


def test_repeated_blocks_are_compiled_one_by_one():
    """With the same options; the name goes on to hold the model."""
    assert applied("regions", BLOCKS) == (BLOCKS.replace(WHOLE, REGIONS), [])
    same = BLOCKS.replace("fast", "net")
    wanted = same.replace(WHOLE.replace("fast", "net"), REGIONS.replace("    fast = net\n", ""))
    assert applied("regions", same) == (wanted, [])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (WHOLE, "    return torch.compile(net)\n", "gets no name in a line of its own"),
        ("(Block() for", "(nn.Linear(8, 8) for", "nn.Linear is no class of these files"),
    ],
)
def test_a_model_that_stays_whole(old, new, reason):
    """With a reason; a model without such a list is none of the rule's."""
    after, left = applied("regions", BLOCKS.replace(old, new))
    assert after == BLOCKS.replace(old, new)
    assert len(left) == 1 and reason in left[0], left
    assert applied("regions", BLOCKS.replace("self.blocks = ", "blocks = "))[1] == []


@pytest.mark.slow
def test_both_are_verified_by_what_they_are_about(tmp_path, diagnosing):
    """By the target's own calls, and by the ops that are traced; advice for the caller stays."""
    (tmp_path / "model.py").write_text(BLOCKS)
    done = call(main, "patch", "model.py:example", "--write", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr + done.stdout
    found = json.loads(done.stdout)
    told = {it["rule"]: it["better"] for it in found["changes"] if not it["refused"]}
    assert told["calls"] == ["graphs: 1, were 2", "recompiles: 0, were 1"]
    assert told["regions"][0].startswith("traced ops: 6, were 12")
    after = (tmp_path / "model.py").read_text()
    assert REGIONS in after and "mark_dynamic(call[0], 0)" in after
    (advice,) = found["advice"]
    assert "where your code calls the compiled model" in advice["text"]
    assert found["together"] is None
