"""Recorded remedies with trouble put in: none of them confirms a claim, unless its page says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from validators.catalog import Case
from validators.evidence import Record
from validators.evidence.stored.witnessed import Witnessed
from validators.repository import Repository
from validators.runner.verdict import cross_examine, rule

PLAYBOOKS = Path(__file__).resolve().parents[2] / "playbooks"
COLUMN = "torch-2.13.0-cpu"
FOREIGN = {"id": "GB9999", "type": "a break that no page is about"}

Report = dict[str, Any]


def broken(remedy: Report) -> Report:
    """A break in each of six frames, none of which the claim is about."""
    return {**remedy, "graph_breaks": [*remedy["graph_breaks"], *[FOREIGN] * 6]}


def recompiling(remedy: Report) -> Report:
    """A recompile in every call."""
    return {**remedy, "recompiles": [*remedy["recompiles"], *[{}] * len(remedy["calls"])]}


def raising(remedy: Report) -> Report:
    """An exception in the last call."""
    caught = {"type": "ValueError", "message": "no", "call": len(remedy["calls"]) - 1}
    return {**remedy, "exception": caught}


def unchanged(remedy: Report) -> Report:
    """The report as it is; what is wrong is what it computed."""
    return remedy


@pytest.fixture(scope="module")
def confirmed() -> list[tuple[Case, Record]]:
    """The cases of one column that are confirmed by calls, with their records."""
    repository = Repository(PLAYBOOKS / "catalog")
    cases = repository.catalog.by_name
    found = [
        (cases[name], record)
        for (name, column), record in repository.evidence.items()
        if column == COLUMN and name in cases and record.verdict == "confirmed"
        if record.remedy and record.remedy["calls"]
    ]
    assert len(found) > 100
    return found


@pytest.mark.parametrize(
    ("mutant", "differs", "declared"),
    [
        (broken, {}, lambda meta: meta.leaves and meta.leaves.graph_breaks),
        (recompiling, {}, lambda meta: meta.leaves and meta.leaves.recompiles),
        (raising, {}, lambda meta: meta.leaves and meta.leaves.exception),
        (
            unchanged,
            {"remedy": "call 0: values differ by 1"},
            lambda meta: "remedy" in meta.results,
        ),
    ],
)
def test_a_mutated_remedy_loses(
    confirmed: list[tuple[Case, Record]],
    mutant: Callable[[Report], Report],
    differs: dict[str, str],
    declared: Callable[[Any], bool],
) -> None:
    """Even where the predicate looks at none of it; what is meant the page declares."""
    survivors = []
    for case, record in confirmed:
        assert record.remedy
        both = {"symptom": record.symptom, "remedy": mutant(record.remedy)}
        ruling = rule([record.shows], [both], case.meta.leaves)
        ruling = cross_examine(ruling, Witnessed({}, differs), case.meta)
        if ruling.verdict == "confirmed" and not declared(case.meta):
            survivors.append(case.name)
    assert survivors == []
