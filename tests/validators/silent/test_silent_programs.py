"""The files of silent errors, their records, and the checks of both."""

from __future__ import annotations

import pytest

from tests.world import World
from validators.checks.recorded.silent import check_silent_errors
from validators.repository import Repository
from validators.silent.programs import load_silent
from validators.silent.record import (
    Computed,
    Cost,
    cost_in_words,
    load_computed,
    write_computed,
)

PROGRAM = '''"""A sum
forgets an element.

cause: code generation
issue: pytorch/pytorch#1
avoid: Add twice.
"""

import torch


def inputs():
    return (torch.ones(3),)


def call(x):
    return x.sum()


def instead(x):
    return x[:1].sum() + x[1:].sum()
'''


@pytest.fixture
def world(tmp_path):
    """An empty repository."""
    return World(tmp_path)


@pytest.fixture
def problems(world):
    """Writes the program, and says what is wrong with the repository."""

    def found(text=PROGRAM):
        world.write("playbooks/silent/short_sum.py", text)
        return [it.message for it in check_silent_errors(Repository(world.catalog))]

    return found


def record(world, verdict="wrong", digest="", column="torch-2.13.0-cpu", **fields):
    """Record what the program computes in a column."""
    (error,) = load_silent(world.root)[0]
    computed = Computed(digest=digest or error.digest, verdict=verdict, **fields)
    write_computed(world.root / "playbooks/evidence", "short_sum", column, computed)


def test_a_file_is_a_silent_error(world, problems):
    """What it says in a sentence, its fields, and the program behind them."""
    problems()
    (error,), defects = load_silent(world.root)
    assert (error.name, error.says) == ("short_sum", "A sum forgets an element.")
    assert (error.cause, error.issue, error.avoid, error.fixed) == (
        "code generation",
        "pytorch/pytorch#1",
        "Add twice.",
        "",
    )
    assert error.code.startswith("import torch\n") and not defects


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def call", "def called", "defines no `call`"),
        ("forgets an element.", "forgets", "does not say what is wrong"),
        ("code generation", "magic", "`cause: magic` is none of unfaithful tracing, "),
        ("cause: code generation\n", "", "has no `cause:`"),
        ("pytorch/pytorch#1", "a thread", "`issue: a thread` is no issue"),
        ("avoid: Add twice.\n", "", "has only one of `avoid:` and `instead`"),
        ("avoid: Add", "since: Add", "`since:` is no field"),
        ("avoid: Add twice.", "avoid: Add twice.\nand again", "'and again' is no field"),
        ("avoid: Add", "needs: a GPU\navoid: Add", "`needs: a GPU` is unknown; write triton"),
        ("def inputs():", "def inputs(:", "is not Python"),
    ],
)
def test_a_defect_is_named(problems, old, new, said):
    """One sentence each."""
    assert any(said in it for it in problems(PROGRAM.replace(old, new)))


def test_a_record_shows_the_error(world, problems):
    """It is current, and the workaround gives eager mode's result wherever the error shows."""
    assert problems() == [
        "no release shows the error; record it where it shows, or delete the program"
    ]
    record(world, "right")
    assert len(problems()) == 1
    record(world, says="call 1: output", backend="inductor", instead="equal")
    assert problems() == []
    assert (
        load_computed(world.root / "playbooks/evidence")[0]["short_sum"]["torch-2.13.0-cpu"].backend
        == "inductor"
    )
    record(world, instead="wrong")
    assert problems() == ["the workaround fails where the error shows; correct `instead`"]
    record(world, digest="0000", instead="equal")
    assert "run `python -m validators silent short_sum --record`" in problems()[0]


def test_what_needs_other_hardware_may_wait(problems):
    """No CPU shows it."""
    assert problems(PROGRAM.replace("avoid:", "needs: cuda\navoid:")) == []


def test_a_fix_is_in_the_newest_release(world, problems):
    """It is not named before."""
    fixed = PROGRAM.replace("avoid:", "fixed: pytorch/pytorch#2\navoid:")
    problems(fixed)
    record(world, instead="equal")
    (problem,) = problems(fixed)
    assert problem == "says `fixed:`, but torch-2.13.0-cpu is wrong; leave the field out for now"
    record(world, "right", column="torch-2.15.0-cpu")
    assert problems(fixed) == []


def test_a_release_that_is_not_the_newest_may_be_wrong(world, problems):
    """The newest of all records counts: a GPU may have run an older one alone."""
    fixed = PROGRAM.replace("avoid:", "fixed: pytorch/pytorch#2\navoid:")
    problems(fixed)
    record(world, instead="equal", column="torch-2.11.0-h200")
    assert len(problems(fixed)) == 1
    record(world, "right", column="torch-2.15.0-cpu")
    assert problems(fixed) == []


def test_a_workaround_costs_what_the_newest_release_counted():
    """Only what differs is said."""
    counts = {"2.9.1": (Cost(1, 1, 8), Cost(1, 2, 8)), "2.13.0": (Cost(1, 1, 8), Cost(2, 1, 16))}
    columns = {
        f"torch-{release}-cpu": Computed(digest="", verdict="wrong", instead="equal", costs=costs)
        for release, costs in counts.items()
    }
    assert cost_in_words(columns) == "2 graphs instead of 1, 16 bytes instead of 8"
    columns["torch-2.15.0-cpu"] = Computed(digest="", verdict="right", instead="equal")
    assert cost_in_words(columns) == "2 graphs instead of 1, 16 bytes instead of 8"
    assert cost_in_words({}) == ""
    assert Cost(1, 1, 8).beside(Cost(1, 1, 8)) == "as many graphs, kernels and bytes"


def test_a_record_without_a_program(world, problems):
    """It has to go."""
    problems()
    record(world, instead="equal")
    file = world.root / "playbooks/evidence/silent/short_sum.json"
    file.with_name("other.json").write_bytes(file.read_bytes())
    assert problems() == ["other is not a silent error; delete the file"]
