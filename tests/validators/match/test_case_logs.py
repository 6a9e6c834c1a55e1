"""What each case prints on several releases of torch leads to it, old wordings and new ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.validators.match.judging import (
    CASE_LOGS,
    entries,
    is_signed,
    our_catalog,
    our_index,
    rivals,
)
from validators.catalog import Catalog
from validators.match import Index

MACHINE = re.compile(r"/home/|/Users/|/tmp/|/opt/|/root/|/work/|/site-packages/|0x[0-9a-f]{4,}")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The catalog whose cases printed the logs."""
    return our_catalog()


@pytest.fixture(scope="module")
def index() -> Index:
    """Its index."""
    return our_index()


@pytest.mark.parametrize("file", CASE_LOGS, ids=lambda file: file.stem)
def test_a_signature_leads_to_its_case(file: Path, catalog: Catalog, index: Index) -> None:
    """On every release, a log with a line that a signature of the case matches leads to it.

    Of the cases that have a line as evidence, only those come before it that its page calls
    `alike`, which it does with a reason. Where another does, give the page a signature that only
    its cause prints, or say under `alike` why the other's lines say no less. By words alone two
    others may come before it.
    """
    case = catalog.by_name[file.stem]
    logs = [entry["log"] for entry in entries(file) if is_signed(case, entry["log"])]
    alike, needed = set(case.meta.alike), set[str]()
    for by_line, before, by_words in (rivals(index, case, log) for log in logs):
        assert before - alike == set(), "come first and are not `alike`"
        assert by_words <= 2
        needed |= by_line
    assert alike - needed == set(), "are `alike` and have no line as evidence; remove them"


def test_only_cases_that_print_are_excused(catalog: Catalog) -> None:
    """What a page says of lines is held to lines."""
    excused = {it.name for it in catalog.cases if it.meta.alike or it.meta.signatures_from}
    assert excused <= {file.stem for file in CASE_LOGS}


@pytest.mark.parametrize("file", CASE_LOGS, ids=lambda file: file.stem)
def test_a_file_holds_logs_of_releases(file: Path, catalog: Catalog) -> None:
    """Each release once, a dozen lines at most, nothing of the machine, not the case's name."""
    assert file.suffix == ".yaml"
    releases = [release for entry in entries(file) for release in entry["torch"]]
    assert len(releases) == len(set(releases)) > 0
    assert catalog.by_name[file.stem]
    for entry in entries(file):
        assert list(entry) == ["torch", "log"]
        assert 1 <= len(entry["log"].splitlines()) <= 12
        assert not MACHINE.search(entry["log"])
        assert f"{file.stem}.py" not in entry["log"]


def test_the_logs_are_small_and_of_several_releases() -> None:
    """Well under half a megabyte."""
    assert sum(file.stat().st_size for file in CASE_LOGS) < 500_000
    releases = {
        release for file in CASE_LOGS for entry in entries(file) for release in entry["torch"]
    }
    assert len(releases) >= 4


@pytest.mark.parametrize("file", CASE_LOGS, ids=lambda file: file.stem)
def test_signatures_are_of_lines_that_are_printed(file: Path, catalog: Catalog) -> None:
    """On some release at least; else the page says whose lines they are (`signatures_from`)."""
    case = catalog.by_name[file.stem]
    if case.meta.signatures:
        signed = any(is_signed(case, entry["log"]) for entry in entries(file))
        assert signed is not bool(case.meta.signatures_from)
