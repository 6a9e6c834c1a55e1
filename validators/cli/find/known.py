"""What commands that only look know of the cases: their pages and what evidence says."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from validators.catalog import Case, Casebook
from validators.cli.places import Places
from validators.collected import collected
from validators.environment.column_name import by_release
from validators.errors import Problem
from validators.evidence import Freshness, Record, load_records, overlaid
from validators.evidence.columns import column as column_of
from validators.evidence.ranges import keys_of, ranges
from validators.evidence.status import State, Status, explained, overall, status_on
from validators.evidence.stored.examples import load_example, overlaid_examples, run_on
from validators.evidence.words import Effect, effect_of
from validators.repository import Repository
from validators.styled import TONES, Span

UNTRIED: Span = (effect_of("limitation", "undecided").brief, TONES["none"])
"""What is said where no record is."""


@dataclass(frozen=True)
class Known:
    """The live and retired cases with what is known of them, by name and column.

    `columns` are those of all cases, in their order.
    """

    casebook: Casebook
    cases: tuple[Case, ...]
    columns: tuple[str, ...]
    statuses: dict[str, dict[str, Status]]
    problems: list[Problem]

    def verdicts(self, case: Case) -> dict[str, str]:
        """The case's verdict per column, marked if it is stale."""
        return {column: word_of(it) for column, it in self.statuses[case.name].items()}


def load_known(places: Places) -> Known:
    """The cases, what is known of them, and what could not be read."""
    # The objects read here form no cycles, and searching them takes longer than reading them.
    gc.disable()
    repository = Repository(places.catalog, [places.local])
    catalog = repository.catalog
    statuses: dict[str, dict[str, Status]] = {case.name: {} for case in catalog.cases}
    for name, column in repository.evidence:
        if name in statuses:
            statuses[name][column] = repository.status_of(catalog.by_name[name], column)
    gc.freeze()
    columns = {column for of_case in statuses.values() for column in of_case}
    problems = [*catalog.problems, *repository.damaged]
    ordered = tuple(sorted(columns, key=by_release))
    return Known(catalog.casebook, catalog.cases, ordered, statuses, problems)


def statuses_of(
    places: Places, case: Case, damaged: list[Problem]
) -> tuple[dict[str, Status], list[Record]]:
    """What is known of one case by column, and its records; reads no other case's evidence.

    Damaged files of evidence are added to `damaged`.
    """
    committed, local = (
        {(it.case, it.column): it for it in load_records(folder, case.name, damaged)}
        for folder in (places.committed, places.local)
    )
    freshness, cases = Freshness(places.catalog), {case.name: case}
    found = list(overlaid(committed, local, cases, freshness).values())
    committed_example, own_example = (
        load_example(folder, case.name, damaged) for folder in (places.committed, places.local)
    )
    examples = overlaid_examples(committed_example, own_example, cases)
    statuses = {
        it.column: status_on(case, it.column, it, freshness, run_on(examples, case.name, it.column))
        for it in found
    }
    return explained(case, statuses), found


def word_of(status: Status) -> str:
    """A status in a word; what a stale record said is marked."""
    if status.state in ("na", "lacks"):
        return "not applicable"
    return f"{status.was} (stale)" if status.was else status.state


def effects_of(case: Case, statuses: Mapping[str, Status]) -> dict[str, Effect]:
    """What a case's statuses mean to a reader, by column; of a limitation, also what is fixed."""
    kind, effects = case.meta.kind, dict[str, Effect]()
    names = sorted(statuses, key=by_release)
    for row in collected((column_of(name).accelerator, name) for name in names).values():
        keys = keys_of(kind, [statuses[name].state for name in row])
        effects |= {name: effect_of(kind, key) for name, key in zip(row, keys, strict=True)}
    return effects


def said_of(case: Case, status: Status, effect: Effect) -> Span:
    """A status in the words of its effect, such as "affects", in the colour of the news."""
    was = f"{effect_of(case.meta.kind, status.was).brief} (stale)" if status.was else ""
    return was or effect.brief, TONES[effect.tone]


def status_line(case: Case, statuses: Mapping[str, Status], releases: Iterable[str]) -> Span:
    """All of it in one line, in the colour of its state; `releases` are those that may be tried."""
    if case.retired:
        return case.retired, "dim"
    states: dict[str, State] = {column: it.state for column, it in statuses.items()}
    if not states:
        return "undecided: no program has run it here", "yellow"
    effect = effect_of(case.meta.kind, overall(case, states))
    return ranges(case, states, releases), TONES[effect.tone]
