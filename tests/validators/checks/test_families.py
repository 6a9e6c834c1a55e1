"""Graph breaks of pages, and signatures, against what torch says."""

from __future__ import annotations

import pytest

from tests.commands import call
from tests.validators.families.conftest import World
from validators.cli import main
from validators.families.stored import kind_path
from validators.families.torch_source.found import Found
from validators.files import ROOT

BREAK = Found(key="GB0156", format="Unsupported method call")


@pytest.fixture
def world(tmp_path, write_case):
    """A repository with one recorded graph break."""
    world = World(tmp_path, write_case)
    world.record("graph_break", BREAK)
    return world


def check(world, *options):
    """What `check` prints of a repository."""
    return call(main, "check", *options, "--catalog", world.catalog, cwd=ROOT)


def test_a_page_names_a_graph_break_that_exists(world):
    """By its id and its type; a type that an older release had is fine."""
    world.record("graph_break", Found(key="GB0156", format="An older type"), torch="2.9.1")
    world.case("one", graph_break={"id": "GB0156", "type": "An older type"})
    assert "graph_break" not in check(world).stdout
    world.case("two", graph_break={"id": "GB0157", "type": "Unsupported method call"})
    world.case("three", graph_break={"id": "GB0156", "type": "Unsupported call"})
    text = check(world).stdout
    assert "two.md:10: `graph_break` names GB0157, which no recorded release has" in text
    assert "three.md:10: GB0156 has the type 'Unsupported method call' and not 'Unsupported" in text


def test_nothing_recorded_means_nothing_to_compare(tmp_path, write_case):
    """A small catalog has none."""
    world = World(tmp_path, write_case)
    world.case("one", graph_break={"id": "GB0157", "type": "Any"})
    assert "graph_break" not in check(world).stdout


def test_a_damaged_file_is_a_problem(world):
    """Not the end of the check."""
    kind_path(world.playbooks, "guard").write_text("{")
    done = check(world)
    assert done.returncode == 2
    assert "guard.json: is damaged" in done.stdout


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        (r"Unsupported: ", "Unsupported"),
        (r"torch\._dynamo\.exc\.\w+Error", "InternalTorchDynamoError"),
        ("PermissionError", "PermissionError"),
        ("PermissionError: .{0,80}torchinductor_", ""),
        ("Unsupported: call_method", ""),
    ],
)
def test_a_signature_names_more_than_a_class(world, signature, name):
    """One that is raised whatever is wrong says nothing of the cause."""
    world.case("one", signatures=[signature])
    said = f"the signature `{signature}` fits every {name}; name its message"
    assert (said in check(world).stdout) == bool(name)


def test_signatures_of_a_whole_family_are_found_on_request(world):
    """The option reports them; without it they fail nothing."""
    for name in ("one", "two", "three"):
        signatures = ["Unsupported method call$"] if name == "one" else []
        kind = {"id": "GB0156", "type": "Unsupported method call"}
        world.case(name, graph_break=kind, signatures=signatures)
    assert "fits every line" not in check(world).stdout
    done = check(world, "--families")
    assert done.returncode == 2
    assert (
        "the signature `Unsupported method call$` fits every line of GB0156, which three, two"
        " cause, too; write what only this cause prints, or add `code` or `alike`" in done.stdout
    )
