"""What the collection knows of a release, and which error names wrong ops."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from tests.validators.silent.test_silent_programs import PROGRAM
from tests.world import World
from validators.errors import CasebookError
from validators.silent.collection import known_of, load_known
from validators.silent.known import Known, known_from, named
from validators.silent.programs import load_silent
from validators.silent.record import Computed


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


def test_wrong_ops_are_named_by_the_chain_that_is_most_like_them(tmp_path):
    """In any order; what has less than half in common names nothing."""
    one = known(World(tmp_path / "one"), _2_13_0=["mean", "argmax"])
    two = known(World(tmp_path / "two"), _2_13_0=["argmax"])
    assert named(["argmax", "mean"], [one, two]) == [one]
    assert named(["argmax"], [one, two]) == [two]
    assert named(["argmax", "mean", "add"], [one, two]) == [one]
    assert named(["cumsum"], [one, two]) == []
    assert named(["argmax"], []) == []


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
