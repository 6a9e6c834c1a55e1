"""What the collection knows of a release, and which error names wrong ops."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from tests.validators.silent.test_silent_programs import PROGRAM
from tests.world import World
from validators.diagnose.explaining.located import located_lines, located_of
from validators.diagnose.findings.finding import Diagnosis, Explanation, Finding
from validators.errors import CasebookError
from validators.silent.collection import known_of, load_known
from validators.silent.known import Known, known_from, named
from validators.silent.programs import load_silent
from validators.silent.record import Computed
from validators.silent.telling import with_known_errors

LOCATED = {"backend": "inductor", "right": "aot_eager", "cached": False, "program": ""}
LOCATED |= {"apart": True, "module": "", "kernels": 1, "tried": 0, "late": False, "avoided": []}
LOCATED |= {"subsystem": "", "application": 0, "detail": ""}


def known(world, **columns):
    """An error by the chains that are wrong on each release, where it is."""
    world.write("playbooks/silent/short_sum.py", PROGRAM)
    (error,) = load_silent(world.root)[0]
    records = {
        f"torch-{release.strip('_').replace('_', '.')}-cpu": Computed(
            digest="", verdict="wrong" if chain else "right", ops=tuple(chain), instead="equal"
        )
        for release, chain in columns.items()
    }
    return known_of(error, records)


@pytest.fixture
def world(tmp_path):
    """An empty repository."""
    return World(tmp_path)


def test_an_error_affects_what_lies_beside_a_wrong_release(world):
    """A release without a record counts as its neighbours do, on either side."""
    it = known(world, _2_9_1=["sum"], _2_12_1=[], _2_14_1=[])
    assert (it.releases("wrong"), it.releases("right")) == (["2.9.1"], ["2.12.1", "2.14.1"])
    affected = {one: it.affects(f"torch-{one}-cpu") for one in ("2.8.0", "2.9.1", "2.10.0")}
    assert affected == {"2.8.0": True, "2.9.1": True, "2.10.0": True}
    assert not it.affects("torch-2.13.0-cpu")
    assert not it.affects("torch-2.12.1-cpu")


def test_the_newest_release_says_the_chain(world):
    """Ops that only an old one compiled wrongly count where no newer one does."""
    it = known(world, _2_9_1=["mul", "sum"], _2_10_0=["sum"], _2_12_1=[])
    assert (it.chain, it.avoid) == (("sum",), "Add twice.")


@pytest.fixture
def three(tmp_path):
    """Errors of `argmax`, of a mean before it, and of a product before it."""
    chains = {"mean": ["mean", "argmax"], "alone": ["argmax"], "product": ["mul", "argmax"]}
    return {name: known(World(tmp_path / name), _2_13_0=chain) for name, chain in chains.items()}


@pytest.mark.parametrize(
    ("ops", "first"),
    [
        (["argmax", "mean"], "mean"),
        (["argmax"], "alone"),
        (["argmax", "mean", "linear"], "mean"),
        (["exp", "argmax"], "product"),
        (["cumsum"], ""),
    ],
)
def test_wrong_ops_are_named_by_the_chain_that_is_most_like_them(three, ops, first):
    """In any order; a pointwise op stands for another, and what no chain has does not count."""
    errors = [replace(it, name=name) for name, it in three.items()]
    assert [it.name for it in named(ops, "output", errors)][:1] == [first] * bool(first)
    assert named(ops, "output", []) == []


@pytest.mark.parametrize(
    ("chain", "ops", "same"),
    [
        (["mul", "argmax"], ["argmax", "exp"], True),
        (["mul", "argmax"], ["argmax"], False),
        (["mul"], ["mul"], True),
        (["mul"], ["clamp"], False),
        ([], [], False),
    ],
)
def test_an_error_has_the_same_ops(world, chain, ops, same):
    """A pointwise op stands for another only beside one that is none."""
    assert replace(known(world, _2_13_0=["sum"]), chain=tuple(chain)).has_ops(ops) is same


@pytest.mark.parametrize(("release", "count"), [("2.13.0", 4), ("2.15.0", 0)])
def test_a_diagnosis_names_the_error_with_the_ops_that_are_wrong(world, release, count):
    """On a release where it is wrong; the ops are named as torch calls them."""
    error = known(world, _2_13_0=["mul", "sum"], _2_15_0=[])
    found = {**LOCATED, "ops": ["torch.multiply", "torch.Tensor.sum"]}
    wrong = Finding("wrong_results", "call 0 differs", "", Explanation("unknown", ""))
    wrong = replace(wrong, located=located_of(found))
    diagnosis = Diagnosis(
        target="m.py:f",
        torch=release,
        python="3.11.7",
        column=f"torch-{release}-cpu",
        calls=1,
        trains=False,
        findings=[wrong],
        parts=[],
    )
    (finding,) = with_known_errors(diagnosis, [error]).findings
    assert len(finding.located.known) == count
    assert [it for it in located_lines(finding.located) if it.startswith("known: short_sum")] == (
        finding.located.known[:1]
    )


def test_what_differs_tells_equal_chains_apart(world):
    """A gradient, or the output."""
    one = known(world, _2_13_0=["argmax"])
    other = replace(one, name="other", part="the gradient of argument 0")
    assert named(["argmax"], "output[1]", [other, one])[0] == one
    assert named(["argmax"], "the gradient of linear.weight", [one, other])[0] == other


def test_plain_data_says_the_same(world):
    """As the scripts of the skills have it."""
    it = known(world, _2_13_0=["sum"])
    (again,) = known_from(json.loads(json.dumps([asdict(it)])))
    assert isinstance(again, Known)
    assert again == it


def test_a_program_that_cannot_be_read_is_told(world):
    """With its file."""
    world.write("playbooks/silent/short_sum.py", "def call(:\n")
    with pytest.raises(CasebookError, match=r"short_sum\.py.*is not Python"):
        load_known(world.root / "playbooks")
