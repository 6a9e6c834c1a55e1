"""The scores and the term statistics beside the catalog: whether they still hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from validators.checks.judged.judged_text import Lines
from validators.checks.judged.scoring import Answer
from validators.errors import Problem
from validators.files import read_file
from validators.match.making.scores import QueryScore, Score, Scores
from validators.match.making.term_statistics import FILE as TERMS
from validators.match.making.term_statistics import TermStatistics, load_term_statistics

RECORD = "python -m validators check --match --fix"
_LOGS = (
    ("first", "with_case", 0.65),
    ("among_three", "with_case", 0.7),
    ("silent", "unrelated", 0.95),
    ("right_by_line", "by_line", 0.9),
)
"""Of the second number of the logs to tune on, the first must be such a share."""
_QUERIES = (0.85, 0.6)
_OF_PART = {"threads": (0.6, 0.6)}
"""Such a share of the queries of a part, and of each kind, must get a right page."""
_NAMED = 3
_Numbers = dict[tuple[str, ...], int]
"""The numbers of the file of scores by their keys."""
_Message = tuple[tuple[str | int, ...], str]
"""The keys in the file of scores, and what is wrong there."""


def check_terms(playbooks: Path, terms: TermStatistics) -> Iterator[Problem]:
    """Find counts of terms that are not those of the logs to tune on.

    Raises:
        CasebookError: the file of them holds something else.
    """
    if load_term_statistics(playbooks) != terms:
        message = f"does not count the terms of the logs; record them with `{RECORD}`"
        yield Problem(playbooks / TERMS, 0, message)


def check_scores(
    path: Path, recorded: Scores, scores: Scores, answers: Iterable[Answer]
) -> Iterator[Problem]:
    """Find answers that became worse, numbers that differ from the recorded ones, and low shares.

    The fresh set is scored once, so its numbers are those of then.
    """
    lines = Lines(path)
    for one in answers:
        if one.open and one.missed and one.text.name not in recorded.missed:
            yield one.text.problem(_worse(one))
    for keys, message in (
        *_changed(_numbers(recorded), _numbers(scores)),
        *_found(recorded.missed, scores.missed),
        *_low_logs(scores.logs),
        *_low_queries(scores.queries),
    ):
        yield Problem(path, lines.at(*keys), message)


def _worse(one: Answer) -> str:
    first = f"{one.names[0]} (by {one.by})" if one.names else "no page"
    wanted = " or ".join(sorted(one.text.pages)[:_NAMED]) or "no page"
    return (
        f"{first} comes first, not {wanted}; correct the label, write a signature that only the"
        f" right cause prints or an `asked` line, or record the miss with `{RECORD}`"
    )


def _changed(recorded: _Numbers, numbers: _Numbers) -> Iterator[_Message]:
    for keys in dict.fromkeys((*recorded, *numbers)):
        expected, number = recorded.get(keys, "nothing"), numbers.get(keys, "gone")
        if expected != number:
            message = f"{'.'.join(keys)} is {number}, and {expected} is recorded"
            look = f"look at the answers that became worse, then record it with `{RECORD}`"
            yield keys, f"{message}; {look}"


def _found(recorded: Sequence[str], missed: Sequence[str]) -> Iterator[_Message]:
    for number, name in enumerate(recorded):
        if name not in missed:
            message = f"{name[:60]} is missed no more; record that with `{RECORD}`"
            yield ("missed", number), message


def _numbers(scores: Scores) -> _Numbers:
    """Return the numbers of the logs and the queries by their keys."""
    data = {"logs": scores.logs, "queries": scores.queries}
    return dict(_flat(msgspec.to_builtins(data), ()))


def _flat(data: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, (*keys, key))
        else:
            yield (*keys, key), value


def _low_logs(logs: Mapping[str, Score]) -> Iterator[_Message]:
    tuning = logs.get("tuning")
    for name, of, least in _LOGS if tuning else ():
        right, all_of = getattr(tuning, name), getattr(tuning, of)
        if right < least * all_of:
            yield ("logs", "tuning", name), _low(right, all_of, least)


def _low_queries(queries: Mapping[str, Mapping[str, QueryScore]]) -> Iterator[_Message]:
    for part, kinds in queries.items():
        least_first, least_three = _OF_PART.get(part, _QUERIES)
        right = sum(its.first for its in kinds.values())
        all_of = sum(its.queries for its in kinds.values())
        if right < least_first * all_of:
            yield ("queries", part), f"first: {_low(right, all_of, least_first)}"
        for kind, its in kinds.items():
            if its.among_three < least_three * its.queries:
                keys = "queries", part, kind, "among_three"
                yield keys, _low(its.among_three, its.queries, least_three)


def _low(right: int, of: int, least: float) -> str:
    return f"{right} of {of} are right, less than {least:.0%}; improve the search or the pages"


def record(path: Path, value: object) -> list[Path]:
    """Write what a program has counted; return the file if that changed it."""
    text = f"---\n{yaml.safe_dump(msgspec.to_builtins(value), sort_keys=False)}"
    if path.exists() and read_file(path).decode("utf-8") == text:
        return []
    path.write_text(text, encoding="utf-8")
    return [path]
