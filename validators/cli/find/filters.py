"""The filters of `list` and `status`: which cases, and which columns."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import click

from validators.catalog import Case
from validators.catalog.discovery import spelled
from validators.catalog.frontmatter import Kind, Severity
from validators.cli.find.known import Known
from validators.environment.column_name import release_of
from validators.errors import CasebookError
from validators.evidence.status import Overall, Status, overall
from validators.verdicts import Verdict

STATES: tuple[Overall, ...] = (
    *get_args(Verdict),
    "stale",
    "na",
    "lacks",
    "unshown",
    "unremedied",
    "unexplained",
    "differs",
    "compiled",
    "retired",
)


@dataclass(frozen=True)
class Filters:
    """What the options ask for, as they were given; nothing given is no limit."""

    areas: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    torch: str = ""
    words: str = ""

    def of(self, known: Known) -> Known:
        """What is left of `known`: cases that fit all filters, and columns of the release.

        Raises:
            CasebookError: a filter names something that there is not.
        """
        areas = known.casebook.areas or sorted({case.area for case in known.cases})
        wanted = {spelled(area) for area in self.areas}
        _check("--area", "an area", wanted, areas)
        _check("--kind", "a kind", self.kinds, get_args(Kind))
        _check("--severity", "a severity", self.severities, get_args(Severity))
        _check("--status", "a status", self.states, STATES)
        known = self._on_release(known)
        words = self.words.lower().split()
        cases = (
            case
            for case in known.cases
            if (not wanted or case.area in wanted)
            and (not self.kinds or case.meta.kind in self.kinds)
            and (not self.severities or case.meta.severity in self.severities)
            and (not self.states or not states_of(case, known).isdisjoint(self.states))
            and (not words or _holds(case, words))
        )
        return replace(known, cases=tuple(cases))

    def _on_release(self, known: Known) -> Known:
        """What is known on the release, such as "2.13.0", or "2.13" for all that begin so."""
        if not self.torch:
            return known
        releases = {column: release_of(column) for column in known.columns}
        on = {c for c, it in releases.items() if f"{it}.".startswith(f"{self.torch}.")}
        _check("--torch", "a recorded release", [self.torch] * (not on), releases.values())
        statuses: dict[str, dict[str, Status]] = {
            name: {column: it for column, it in found.items() if column in on}
            for name, found in known.statuses.items()
        }
        columns = tuple(column for column in known.columns if column in on)
        return replace(known, columns=columns, statuses=statuses)


def states_of(case: Case, known: Known) -> set[str]:
    """The states of a case: those of its columns, and what they come to."""
    states = {column: it.state for column, it in known.statuses[case.name].items()}
    every = overall(case, states)
    return {every} if case.retired else {every, *states.values()}


def _holds(case: Case, words: Sequence[str]) -> bool:
    """Whether the name, the title or the summary holds each of the words."""
    text = f"{case.name} {case.title} {case.summary}".lower()
    text += text.replace("`", "") + case.name.replace("_", " ")
    return all(word in text for word in words)


def _check(switch: str, what: str, given: Iterable[str], values: Iterable[str]) -> None:
    known = list(dict.fromkeys(values))
    for value in given:
        if value not in known:
            said = f"use one of {', '.join(known)}" if known else "there is none yet"
            raise CasebookError(f"{switch}: {value!r} is not {what}; {said}")


def _one_of(switch: str, field: str, metavar: str, said: str) -> Callable[..., Any]:
    return click.option(switch, field, multiple=True, metavar=metavar, help=f"{said}; repeatable.")


_OPTIONS = (
    _one_of("--area", "areas", "AREA", "Of the area"),
    _one_of("--kind", "kinds", "KIND", ", ".join(get_args(Kind))),
    _one_of("--severity", "severities", "LEVEL", ", ".join(get_args(Severity))),
    _one_of("--status", "states", "STATE", f"In some column: {', '.join(STATES)}"),
    click.option("--torch", default="", metavar="RELEASE", help="Look at this release only."),
    click.option("--grep", "words", default="", metavar="WORDS", help="In name, title, summary."),
)


def filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the filters, passed on as `filters`."""

    @functools.wraps(command)
    def run(*args: Any, **given: Any) -> Any:
        own = {name: given.pop(name) for name in Filters.__dataclass_fields__}
        return command(*args, filters=Filters(**own), **given)

    decorated: Callable[..., Any] = run
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated
