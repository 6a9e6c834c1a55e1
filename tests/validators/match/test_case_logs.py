"""What each case prints on several releases of torch leads to it, old wordings and new ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.validators.match.judging import (
    ALIKE,
    CASE_LOGS,
    ROOT,
    alike_of,
    before,
    entries,
    is_signed,
)
from validators.catalog import Catalog, load_catalog
from validators.match import Index, build_index

MACHINE = re.compile(r"/home/|/Users/|/tmp/|/opt/|/root/|/work/|/site-packages/|0x[0-9a-f]{4,}")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The catalog whose cases printed the logs."""
    return load_catalog(ROOT / "playbooks" / "catalog")


@pytest.fixture(scope="module")
def index(catalog: Catalog) -> Index:
    """Its index."""
    return build_index(catalog)


@pytest.mark.parametrize("file", CASE_LOGS, ids=lambda file: file.stem)
def test_what_a_case_prints_leads_to_it(file: Path, catalog: Catalog, index: Index) -> None:
    """On every release: first if a signature of it matches, else among the first three.

    Cases whose lines say no less of the same cause may come before it, and some print nothing of
    their own: alike.yaml names the former and has an empty list for the latter, where needed. If
    what comes before is right, `python -m tests.validators.match.judging` writes it there.
    """
    case, logs = catalog.by_name[file.stem], [entry["log"] for entry in entries(file)]
    alike = ALIKE.get(case.name)
    assert alike_of(index, case, logs, alike) == alike, [
        before(index, case.name, it) for it in logs
    ]


def test_alike_are_cases_that_print(catalog: Catalog) -> None:
    """On both sides, and none of itself."""
    assert ALIKE.keys() <= {file.stem for file in CASE_LOGS}
    for case, others in ALIKE.items():
        assert set(others) <= catalog.by_name.keys() - {case}


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


OTHERS_LINES = {
    "address_of_a_freed_tensor": "a kernel called through ctypes, where the proof's is Python",
    "config_of_another_thread": "users who wonder why a limit is ignored",
    "debug_size_hides_recompile_limit": "models whose layers know their number",
    "guard_rel_warning": "a warning of other shapes of the same models",
    "isolated_recompiles": "models whose layers know their number",
    "list_mutation_is_no_mutated_input": "the skipped CUDA graph that users take it for",
    "recompile_limit_made_an_error": "the exception that its remedy raises",
    "scheduler_made_after_compiled_step": "the code of a traceback, which a report leaves out",
    "sequence_varies_like_batch": "the same guard at the other index, a number apart",
    "static_shapes_under_fullgraph": "the name that the exception had on torch 2.5",
    "suppress_errors_falls_back": "what is logged where it falls back, as its remedy does",
}
"""Cases whose signatures stand in no line of their own, and of what such lines are."""


def test_signatures_are_of_lines_that_are_printed(catalog: Catalog) -> None:
    """A case with lines of its own and signatures has one that matches them, on some release."""
    unlike = set()
    for file in CASE_LOGS:
        case = catalog.by_name[file.stem]
        if not any(is_signed(case, entry["log"]) for entry in entries(file)):
            unlike.update([case.name] if case.meta.signatures else [])
    assert unlike == set(OTHERS_LINES)
