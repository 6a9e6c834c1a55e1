"""`holds` follows the verdicts, and `check --fix` writes it."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks import fix_holds
from validators.evidence import write_record
from validators.repository import Repository

REFUTED = {"verdict": "refuted", "shows": {"symptom": False, "remedy": True}}


@pytest.fixture
def page(tmp_path, write_case, make_record):
    """A function that writes a case with records of some releases, and returns its page."""

    def make(holds, letters, **fields):
        root = tmp_path / "playbooks/catalog"
        found = write_case(root, "guards", "one", devices=["cpu"], holds=holds, **fields)
        case = load_catalog(root).by_name["one"]
        for release, letter in zip(("2.9.1", "2.11.0", "2.13.0"), letters, strict=True):
            record = make_record(case, torch=release, **(REFUTED if letter == "r" else {}))
            write_record(tmp_path / "playbooks/evidence", record)
        return found

    return make


def fixed(tmp_path):
    """The names of the pages that were rewritten."""
    found = fix_holds(Repository(tmp_path / "playbooks/catalog"))
    return [path.name for path in found]


@pytest.mark.parametrize(
    ("holds", "letters", "advice"),
    [
        ([{"torch": "<2.13"}], "ccc", "remove `holds`, or run"),
        ([{"torch": ">=2.13"}], "rcc", 'write `holds: [{torch: ">=2.11"}]`, or run'),
        ([{"torch": "==2.11.*"}], "ccr", 'write `holds: [{torch: "<2.12"}]`, or run'),
    ],
)
def test_a_confirmed_record_outside_holds_is_a_problem(page, check, holds, letters, advice):
    """The problem says what to write."""
    page(holds, letters)
    (problem,) = check()[1]
    assert "cpu: is confirmed where `holds` does not expect it" in problem
    assert advice in problem


def test_what_agrees_is_no_problem(page, check):
    """An expectation of releases that nobody ran may be anything."""
    page([{"torch": ">=2.11,<2.12"}, {"torch": ">=2.12.5"}], "rcc")
    assert check()[1] == []


def test_a_python_is_left_to_people(page, check, tmp_path):
    """No range of releases tells what it does."""
    path = page([{"torch": ">=2.11", "python": ">=3"}], "ccc")
    before = path.read_text()
    (problem,) = check()[1]
    assert "no ranges of releases agree with all records; correct `holds` or the proof" in problem
    assert fixed(tmp_path) == [] and path.read_text() == before


def test_a_stale_record_contradicts_nothing(page, check):
    """It is about another proof."""
    path = page([{"torch": "<2.12"}], "ccc").with_suffix(".py")
    path.write_text(path.read_text() + "\nEDITED = 1\n")
    assert not any("does not expect" in it for it in check()[1])


def test_holds_is_rewritten(page, tmp_path, check):
    """Nothing else of the page changes."""
    path = page([{"torch": "==2.13.*"}], "rcc", needs=["triton"])
    before = path.read_text()
    assert fixed(tmp_path) == ["one.md"]
    assert path.read_text() == before.replace("- torch: ==2.13.*", '  - torch: ">=2.11"')
    assert check()[1] == []
    assert fixed(tmp_path) == []


def test_holds_is_dropped_where_it_expects_all_that_ran(page, tmp_path, check):
    """No field says the same."""
    path = page([{"torch": "==2.13.*"}], "ccc")
    before = path.read_text()
    fixed(tmp_path)
    assert path.read_text() == before.replace("holds:\n- torch: ==2.13.*\n", "")
    assert check()[1] == []


def test_a_surprise_is_left_to_people(page, tmp_path, check):
    """What is refuted where `holds` expects otherwise may be a fault of the proof."""
    path = page([{"torch": ">=2.9"}], "ccr")
    before = path.read_text()
    assert fixed(tmp_path) == [] and path.read_text() == before
    (problem,) = check()[1]
    assert "is refuted where `holds` expects confirmed" in problem
