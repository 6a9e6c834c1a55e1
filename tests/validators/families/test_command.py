"""`python -m validators families`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.commands import call
from tests.schemas import valid
from tests.validators.families.conftest import registry
from tests.validators.families.test_recording import TREE
from validators.cli import main
from validators.families.torch_source.found import Found
from validators.families.torch_source.graph_breaks import REGISTRY
from validators.files import ROOT

MESSAGE = """\
[0/0] [__graph_breaks] Unsupported method call
[0/0] [__graph_breaks]   Explanation: method `get` of class `ContextVar`
[0/0] [__graph_breaks]   Developer debug context: call_method get
"""


def run(world, *arguments):
    """The finished command."""
    return call(main, "families", *arguments, "--catalog", world.catalog, cwd=ROOT)


@pytest.fixture
def filled(world):
    """A repository with three families, one of which has a cause."""
    text = {"explanation": "No method `{name}`", "hints": ("Avoid it.",), "file": "base.py"}
    calls = Found(key="GB0156", format="Unsupported method call", **text)
    world.record("graph_break", calls, torch="2.9.1")
    gone = Found(key="GB0007", format="A break that is gone", printed=False)
    world.record("graph_break", calls, gone, torch="2.13.0")
    world.record("guard", Found(key="none-match", format="{ref} is None"))
    world.case(
        "read_of_a_context",
        graph_break={"id": "GB0156", "type": "Unsupported method call"},
        signatures=["Unsupported method call$", "class `ContextVar`"],
        code=[r"\.get\("],
    )
    world.example("read_of_a_context", MESSAGE)
    return world


def test_totals_by_kind(filled):
    """How many families there are, how many have a case, and how many each release prints."""
    done = run(filled)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.split("\n")]
    assert ["graph_break", "2", "1", "1", "1"] in rows
    assert ["guard", "1", "0", "0", "1"] in rows
    assert "GB0156" not in done.stdout
    assert "`families KIND` lists" in done.stdout


def test_the_families_of_a_kind(filled):
    """With the releases as a range, and the cases."""
    rows = [line.strip() for line in run(filled, "graph_break").stdout.split("\n")]
    (calls,) = (row for row in rows if row.startswith("GB0156"))
    assert calls.split("  ")[-1].strip() == "read_of_a_context"
    assert "2.9.1 to 2.13.0" in calls
    (gone,) = (row for row in rows if row.startswith("GB0007"))
    assert "none; listed by 2.13.0" in gone


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        (["--uncovered"], ["GB0007", "none-match"]),
        (["--torch", "2.9"], ["GB0156"]),
        (["--torch", "2.13.0"], ["GB0156", "none-match"]),
        (["--grep", "METHOD avoid"], ["GB0156"]),
        (["guard", "--grep", "method"], []),
        (["gb0156"], ["GB0156"]),
        (["0156"], ["GB0156"]),
    ],
)
def test_what_is_listed(filled, options, keys):
    """All that fits each option; ids may be short."""
    found = valid("families", run(filled, *options, "--json").stdout)
    assert sorted(it["key"] for it in found["families"]) == sorted(keys)


def test_one_family(filled):
    """Torch's words, the known causes and how to tell them, and that there may be others."""
    text = run(filled, "GB0156").stdout
    for part in (
        "GB0156 (graph_break): Unsupported method call",
        "In torch's words (2.9.1 to 2.13.0; base.py):",
        "Explanation: No method `{name}`",
        "Hint: Avoid it.",
        "Your cause may not be among them",
        "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0156.html",
        "1. read_of_a_context: A branch on a tensor",
        "fix: Write `torch.where` in its place.",
        "its page names this graph break; its example printed it on torch 2.13.0",
        "prints: Explanation: method `get` of class `ContextVar`",
        "line fits: class `ContextVar`",
        r"your code fits: \.get\(",
    ):
        assert part in text
    assert "line fits: Unsupported" not in text


def test_a_family_without_a_case(filled):
    """Is said openly, with torch's own page."""
    text = run(filled, "GB0007").stdout
    assert "No case is about it" in text
    assert "torch none; listed by 2.13.0" in text
    assert "gb0007.html" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["GB9999"], "GB9999: no recorded release (2.9.1 to 2.13.0) has this id; torch's page may"),
        (["none-mach"], "none-mach: is neither a kind nor a key; did you mean none-match?"),
        (["guards"], "did you mean guard"),
        (["xyzzy"], "list them with `families KIND`"),
        (["--torch", "2.12"], "--torch: 2.12 is not recorded (2.9.1, 2.13.0 are); record it with"),
        (["--record"], "--record: names no release; add --python P"),
        (["--python", "/bin/true"], "/bin/true: does not answer as a Python interpreter"),
        (["--python", "/nowhere/python"], "/nowhere/python: does not answer"),
    ],
)
def test_an_error_is_one_sentence(filled, arguments, message):
    """With the fix, and exit status 2."""
    done = run(filled, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_nothing_recorded_is_said(world):
    """With the command that records."""
    assert "No release is recorded; run `python -m validators families" in run(world).stdout
    assert "no release is recorded" in run(world, "GB0156").stderr


def python_with(torch_of, tmp_path, torch, **files) -> Path:
    """A program that answers as an interpreter with this torch would."""
    version = {"version.py": f"__version__ = '{torch}+cpu'\n", "__init__.py": ""}
    release = torch_of({**TREE, **version, **files}, torch)
    python = tmp_path / f"python-{torch}"
    answer = json.dumps([str(release.folder / "__init__.py"), ""])
    python.write_text(f"#!{sys.executable}\nprint({answer!r})\n")
    python.chmod(0o755)
    return python


def test_releases_are_compared_and_recorded(world, tmp_path, torch_of):
    """Several interpreters in one call; without --record nothing is written."""
    old = python_with(torch_of, tmp_path, "2.5.1")
    new = python_with(torch_of, tmp_path, "2.13.0", **{REGISTRY: registry(GB0001="A break")})
    done = run(world, "--python", old, "--python", new)
    assert "torch 2.5.1: 1 guard; 1 new\n  new: none-match" in done.stdout
    assert "torch 2.5.1 has no registry of graph breaks" in done.stdout
    assert not (world.playbooks / "families").exists()
    done = run(world, "--python", old, "--python", new, "--record", "--json")
    read = {(it["release"], it["kind"]): it for it in json.loads(done.stdout)["read"]}
    assert read["2.13.0", "graph_break"]["new"] == ["GB0001"]
    assert read["2.13.0", "guard"]["new"] == []
    assert json.loads(run(world, "--json").stdout)["releases"] == ["2.5.1", "2.13.0"]
    again = run(world, "--python", new, "--record")
    assert "torch 2.13.0: 1 graph_break; 0 new\n" in again.stdout


def test_an_interpreter_without_torch_is_named(world, tmp_path):
    """Or with a torch that names no version."""
    python = tmp_path / "python"
    python.write_text(f'#!{sys.executable}\nprint(\'["", ""]\')\n')
    python.chmod(0o755)
    assert "has no torch; install it there" in run(world, "--python", python).stderr
    (tmp_path / "torch").mkdir()
    answer = json.dumps([str(tmp_path / "torch" / "__init__.py"), ""])
    python.write_text(f"#!{sys.executable}\nprint({answer!r})\n")
    assert "version.py: names no version; reinstall" in run(world, "--python", python).stderr
