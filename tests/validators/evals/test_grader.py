"""Each task's grader: it fails the untouched repository and wrong fixes, and passes the reference.

The conditions beside `verify-fix` are tested by themselves.
"""

from __future__ import annotations

import sys

import pytest

from validators.diagnose.findings.finding import Health, Verification
from validators.environment import describe
from validators.evals.folders import patched_copy
from validators.evals.grader import (
    _checked,
    _excess,
    _excess_of_ops,
    _other_signatures,
    _refusals,
    _script_failures,
    graded,
)
from validators.evals.task import Checked, Conditions, Script, load_task
from validators.files import ROOT

TASKS = ROOT / "evals" / "tasks"
NAMES = sorted(it.parent.name for it in TASKS.glob("*/task.yaml"))


@pytest.mark.slow
@pytest.mark.tasks
@pytest.mark.parametrize("name", NAMES)
def test_only_the_reference_passes(name, tmp_path):
    """And every reason is one about the change, not about a broken factory."""
    task = load_task(TASKS / name)
    patches = [task.reference, *task.wrong]
    changed = [patched_copy(task.repo, patch, tmp_path / patch.stem) for patch in patches]
    folders = [task.repo, *changed]
    untouched, reference, *wrong = graded(task, folders, describe(sys.executable))
    assert reference.reasons == []
    assert reference.better or task.conditions.compiles_alike
    assert not untouched.passed
    accepted = [it.stem for it, grade in zip(task.wrong, wrong, strict=True) if grade.passed]
    assert accepted == []


HEALTH = Health(graphs=2, breaks=1, recompiles=0, limits=0, compiled=1.0, raised="")
SCRIPT = Script(run=["run.py"], prints=r"mean \d")


def conditions(**fields):
    """Conditions that `HEALTH` meets, unless a field says otherwise."""
    return Conditions(**{"graphs": 2, "breaks": 1, "recompiles": 0, "script": SCRIPT, **fields})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, []),
        ({"graphs": 1}, ["it has 2 graphs; at most 1 are needed"]),
        ({"breaks": 0}, ["it has 1 breaks; at most 0 are needed"]),
    ],
)
def test_counts(fields, said):
    """More than the most is a reason."""
    assert list(_excess(conditions(**fields), HEALTH)) == said


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ({"ops": 40}, []),
        ({"ops": 41}, ["the first call, whole, traces 41 ops; at most 40 are needed"]),
        ({"raised": "x"}, ["the first call, whole, could not be measured"]),
        (None, ["the first call, whole, could not be measured"]),
    ],
)
def test_ops_of_the_first_call(first, said):
    """More than the most is a reason, and so is a call that could not be counted."""
    assert list(_excess_of_ops(", whole,", first, 40)) == said


@pytest.mark.parametrize(
    ("fields", "left"),
    [({"wrong_numbers": True}, 1), ({"block_ops": 9}, 1), ({"ops": 9}, 1), ({}, 2)],
)
def test_a_defect_that_is_no_break(fields, left):
    """A fix of numbers or of a slow start need not compile better; other refusals stay."""
    refused = ["nothing compiles better than before", "it computes something else: x"]
    found = Verification(
        before=HEALTH, after=HEALTH, calls=1, made_up=0, better=[], refused=refused
    )
    assert len(_refusals(conditions(**fields), found)) == left


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("class Net:\n    def forward(self, x, mask=None): return 2", 0),
        ("class Net:\n    def forward(self, x, mask): return 1", 1),
        ("class Net:\n    def call(self, x, mask=None): return 1", 1),
        ("def forward(self, x, mask=None): return 1", 1),
        ("class Net((", 1),
    ],
)
def test_signatures(tmp_path, text, count):
    """Another list of arguments is a reason, another body is none."""
    for name, source in (
        ("before", "class Net:\n    def forward(self, x, mask=None): return 1"),
        ("after", text),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "net.py").write_text(source)
    held = conditions(signatures=["net.py:Net.forward"])
    assert len(list(_other_signatures(held, tmp_path / "before", tmp_path / "after"))) == count


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('mean 1')", []),
        ("print('mean')", ["the caller's run.py no longer prints what it did"]),
        ("raise ValueError('no')", ["the caller's run.py fails: ValueError: no"]),
    ],
)
def test_the_callers_script(tmp_path, text, said):
    """It must end well and print what it did."""
    (tmp_path / "run.py").write_text(text)
    assert list(_script_failures(SCRIPT, tmp_path, sys.executable)) == said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("pass", []),
        ("print('one')\nprint('two')\nraise SystemExit(1)", ["one", "two"]),
        ("raise SystemExit(1)", ["check.py ended with 1"]),
        ("import os; os.abort()", ["check.py ended with -6"]),
        ("x = undefined", ["NameError: name 'undefined' is not defined"]),
    ],
)
def test_a_program_of_its_own(tmp_path, program, said):
    """It says why a change fails; a program that breaks passes nothing."""
    file = tmp_path / "check.py"
    file.write_text(program)
    held = Checked(check="claim.py")
    assert _checked(str(file), held, tmp_path, describe(sys.executable)) == said
