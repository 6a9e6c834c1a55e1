"""Everything that the search is judged by, read from `playbooks/judged`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from validators.catalog import Catalog
from validators.checks.judged.judged_logs import (
    FRESH_LOGS,
    USER_LOGS,
    FreshLog,
    Log,
    UserLog,
    label_defects,
    load_logs,
    text_of,
)
from validators.checks.judged.judged_queries import load_incidents, load_queries, load_sentences
from validators.checks.judged.judged_text import UNRELATED, Lines, Text
from validators.errors import Problem
from validators.match.making.data_files import read_data

LEAST = "least.yaml"
"""How many there must be of what is judged."""


@dataclass(frozen=True)
class JudgedSet:
    """The users' logs, the queries, and the fresh logs, sentences and incidents.

    `problems` are those of single lines of logs.
    """

    folder: Path
    logs: list[Text]
    queries: list[Text]
    fresh_logs: list[Text]
    sentences: list[Text]
    incidents: list[Text]
    problems: list[Problem]

    @property
    def sizes(self) -> dict[str, int]:
        """How many texts there are of each sort."""
        unrelated = Counter(log.kind == UNRELATED for log in self.logs)
        fresh = Counter(log.kind == UNRELATED for log in self.fresh_logs)
        kinds = Counter(query.kind for query in self.queries if query.part == "pasted")
        return {
            "related logs": unrelated[False],
            "unrelated logs": unrelated[True],
            "queries": len(self.queries) - kinds.total(),
            "pasted sentences": kinds["sentences"],
            "pasted logs": kinds["logs"],
            "fresh related logs": fresh[False],
            "fresh unrelated logs": fresh[True],
            "fresh sentences": len(self.sentences),
            "incidents": len(self.incidents),
            "models with incidents": len({incident.kind for incident in self.incidents}),
        }


def load_set(folder: Path, catalog: Catalog) -> JudgedSet:
    """Read the judged set; whatever has no file is empty.

    Raises:
        CasebookError: a file of YAML holds something else.
    """
    logs, problems = _logs(folder / USER_LOGS, UserLog, catalog)
    fresh, more = _logs(folder / FRESH_LOGS, FreshLog, catalog)
    return JudgedSet(
        folder=folder,
        logs=logs,
        queries=load_queries(folder),
        fresh_logs=fresh,
        sentences=load_sentences(folder),
        incidents=load_incidents(folder),
        problems=[*problems, *more],
    )


def _logs(path: Path, kind: type[Log], catalog: Catalog) -> tuple[list[Text], list[Problem]]:
    logs, problems = load_logs(path, kind)
    texts = {line: text_of(path, line, log) for line, log in logs.items()}
    for line, log in logs.items():
        problems += [texts[line].problem(defect) for defect in label_defects(log, catalog)]
    return list(texts.values()), problems


def check_numbers(folder: Path, numbers: Mapping[str, int]) -> Iterator[Problem]:
    """Find numbers that are smaller than they must be, so that no check runs out of work unseen.

    Raises:
        CasebookError: the file that says so holds something else.
    """
    path = folder / LEAST
    lines = Lines(path)
    for what, least in read_data(path, dict[str, int], {}, "numbers", "correct it").items():
        if what not in numbers:
            yield Problem(path, lines.at(what), f"nothing counts {what!r}; correct the name")
        elif numbers[what] < least:
            message = f"there are only {numbers[what]} {what}, {least} are wanted; restore or add"
            yield Problem(path, lines.at(what), f"{message} some")
