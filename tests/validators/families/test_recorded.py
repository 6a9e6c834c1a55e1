"""What is recorded of torch's releases is what they say."""

from __future__ import annotations

import importlib.util
import os
import sys

import pytest

from validators.families import KINDS, Family, FamilyLines, load_families, recorded_releases
from validators.families.recording import READERS, with_release
from validators.families.stored import load_kind
from validators.families.torch_source.installed import release_of
from validators.files import ROOT

PLAYBOOKS = ROOT / "playbooks"
RELEASES = ("2.5.1", "2.9.1", "2.11.0", "2.13.0", "2.15.0")
OTHERS = [it for it in os.environ.get("CASEBOOK_PYTHONS", "").split(os.pathsep) if it]


@pytest.fixture(scope="module")
def families() -> list[Family]:
    """What is recorded."""
    return load_families(PLAYBOOKS)


@pytest.fixture(scope="module")
def lines(families: list[Family]) -> FamilyLines:
    """Finds the families of lines."""
    return FamilyLines(families)


def test_the_releases_are_recorded():
    """Those that the tests below know."""
    assert recorded_releases(PLAYBOOKS) == RELEASES


def test_reading_everything_is_quick(takes_loops):
    """The site does it for each build."""
    before = f"""
from pathlib import Path
from validators.families import vocabulary_of
from validators.repository import Repository

repository = Repository(Path({str(PLAYBOOKS / "catalog")!r}))
assert repository.catalog.cases and repository.examples
"""
    work = "assert len(vocabulary_of(repository).families) > 1000"
    takes_loops(before, work, at_most=30)


def test_what_the_notes_on_torch_say(families):
    """Counts of the registries, an id that only lists, and a message that got another class."""
    by_name = {(it.kind, it.key): it for it in families}
    breaks = [it for it in families if it.kind == "graph_break" and it.key[:2] == "GB"]
    for release, count in {"2.9.1": 272, "2.11.0": 421, "2.13.0": 517, "2.15.0": 592}.items():
        assert sum(it.on(release) is not None for it in breaks) == count
    assert all(it.on("2.5.1") is None for it in breaks)
    gone = by_name["graph_break", "GB0075"]
    assert (gone.releases, gone.listed[0]) == (("2.9.1",), "2.11.0")
    renamed = by_name["exception", "CppWrapperCodeGenError"]
    assert renamed.same == ("CppWrapperCodegenError",)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6", "tensor-size"),
        ("0/0: tensor 'x' stride mismatch at index 0. expected 4, actual 1", "tensor-stride"),
        ("Graph Break Reason: Unsupported method call", "GB0156"),
        ("skipping cudagraphs due to skipping cudagraphs due to cpu device (arg1_1)", "cpu-device"),
        (
            "skipping cudagraphs due to multiple devices: device(type='cuda', index=0)",
            "multiple-devices",
        ),
        ("torch._dynamo.exc.RecompileError: boom", "RecompileError"),
        ("torch._dynamo hit config.recompile_limit (8)", "recompile-limit"),
        ("expected size 8==8, stride 1==4 at dim=1", "assert-size-stride"),
    ],
)
def test_lines_that_name_only_a_family(lines, line, key):
    """The whole of what they say."""
    assert [it.key for it in lines.of(line)] == [key]


def unchanged(python: str) -> None:
    """Assert that reading an interpreter's torch changes nothing that is recorded of it."""
    release = release_of(python)
    if release.torch not in RELEASES:
        pytest.skip(f"torch {release.torch} is not recorded")
    for kind in KINDS:
        stored = load_kind(PLAYBOOKS, kind)
        if stored.releases[release.torch].get("triton", "") != release.triton:
            pytest.skip("recorded with another Triton")
        assert with_release(stored, kind, release, READERS[kind](release)) == stored, kind


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="there is no torch here")
def test_this_torch_says_what_is_recorded():
    """Read anew, nothing changes."""
    unchanged(sys.executable)


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("python", OTHERS or [""])
def test_other_releases_say_what_is_recorded(python):
    """Each interpreter in CASEBOOK_PYTHONS."""
    if not python:
        pytest.skip("CASEBOOK_PYTHONS names no interpreter")
    unchanged(python)


def test_families_come_by_kind_and_key(families):
    """The same order on every machine."""
    names = [(KINDS.index(it.kind), it.key) for it in families]
    assert names == sorted(names)
    assert len(set(names)) == len(names)
