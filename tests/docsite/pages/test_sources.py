"""What our source documents claimed, and what came of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from docsite.content import Defects

from tests.world import SOURCE, World, front, populate
from validators.published.source_claims import OUTCOMES, totals

from ..conftest import html_of
from ..test_site import page

REFUTED = {"verdict": "refuted", "shows": {"symptom": False, "remedy": False}}


def outcome(world: World, entry: str) -> str:
    """The outcome of one entry, which says after its claim what decides it."""
    head = SOURCE.partition("entries:")[0].replace("lines: 9", "lines: 2")
    text = f"{head}entries:\n  - {{at: [2], claim: It is so., {entry}}}\n"
    world.write("playbooks/sources/old-notes.yaml", text)
    return world.load().judged["old-notes"][0].outcome.key


@pytest.fixture
def decided(world: World) -> World:
    """Cases: confirmed, refuted where they should hold, always or on one release, and never run."""
    world.case("holds", front())
    world.record("holds")
    world.case("falls", front(holds='[{torch: ">=2.11"}]'))
    world.record("falls", **REFUTED)
    world.case("unclaimed", front(holds='[{torch: ">=2.15"}]'))
    world.record("unclaimed", **REFUTED)
    world.record("unclaimed", "2.15.0")
    world.case("disputed", front())
    world.record("disputed", **REFUTED)
    world.record("disputed", "2.15.0")
    world.case("never_run", front())
    return world


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("supported_by: [holds]", "confirmed"),
        ("refuted_by: [holds]", "refuted"),
        ("supported_by: [holds, never_run]", "undecided"),
        ("refuted_by: [holds, never_run]", "undecided"),
        ("supported_by: [holds, falls]", "refuted"),
        ("supported_by: [disputed]", "undecided"),
        ("refuted_by: [disputed]", "undecided"),
        ("refuted_by: [falls]", "undecided"),
        ("supported_by: [unclaimed]", "confirmed"),
        ("supported_by: [holds], device: cuda", "undecided"),
        ("supported_by: [holds], device: cpu", "confirmed"),
        ("undecidable: hardware, because: None has it.", "undecidable"),
        ("rebuilt_by: ['tests/test_a.py::test_b'], because: Ours does it.", "rebuilt"),
    ],
)
def test_the_outcome_follows_from_the_cases(decided: World, entry: str, expected: str) -> None:
    """All cases count together, a device only where it is named, and nothing outside `holds`."""
    decided.write("tests/test_a.py", "\ndef test_b():\n    pass\n")
    assert outcome(decided, entry) == expected


def test_a_gpu_decides_what_is_claimed_of_gpus(decided: World) -> None:
    """A verdict from the CPU says nothing about them, not even a bad one."""
    decided.record("falls", gpu="NVIDIA H200")
    assert outcome(decided, "supported_by: [falls], device: cuda") == "confirmed"
    assert outcome(decided, "supported_by: [falls]") == "undecided"


def test_the_totals_add_up(world: World) -> None:
    """Every claim has one outcome, and every outcome stands in the table."""
    populate(world)
    counts = totals(world.load().judged["old-notes"])
    assert list(counts) == list(OUTCOMES)
    assert sum(counts.values()) == 4
    assert counts == {"confirmed": 1, "refuted": 0, "undecided": 2, "rebuilt": 0, "undecidable": 1}


def test_the_pages_say_what_was_claimed_and_what_decides_it(site: Path) -> None:
    """The index counts, the document's page lists, the case's page leads back."""
    index = page(site, "sources/index.html")
    assert "All documents 1 0 2 0 1 4" in index
    assert "2 times Dims are safe. Old notes, 3" in index
    assert "a figure of a private run (1)" in index
    listed = page(site, "sources/old-notes/index.html")
    assert "2, 4-5 A branch on a tensor breaks. ✓ confirmed Tensor branch" in listed
    assert "Decided on CUDA only." in listed
    assert "A figure of a private run. No one has it." in listed
    assert "Old notes, lines 2, 4-5 : A branch on a tensor breaks. ✓ confirmed" in page(
        site, "catalog/tensor_branch/index.html"
    )
    assert "Of the 4 claims" in page(site, "about/index.html")


def test_what_a_gpu_decides_first_is_listed_with_its_reason(site: Path) -> None:
    """In the order that `make cuda` takes."""
    text = page(site, "first-on-gpu/index.html")
    assert "Never run ? undecided on CUDA: All else rests on it." in text


def test_a_list_that_names_no_case_keeps_the_site_from_being_built(decided: World) -> None:
    """The defect is said with its file and line."""
    with pytest.raises(Defects, match=r"old-notes.yaml:8: no case is named 'nothing'"):
        outcome(decided, "supported_by: [nothing]")


def test_prose_links_to_the_pages_of_lists(world: World) -> None:
    """A link to a list's file, or to the folder of all lists, leads to the page that shows it."""
    populate(world)
    links = "[a](../sources/old-notes.yaml) [b](../sources) [c](../first_on_gpu.yaml)"
    world.write("playbooks/guides/g.md", f"# G\n\n{links}\n")
    shown = html_of(world.load(), "guides/g/index.html")
    for path in ("sources/old-notes", "sources", "first-on-gpu"):
        assert f'<a href="../../{path}/index.html">' in shown
