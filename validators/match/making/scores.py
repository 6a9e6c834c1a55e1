"""How well the search answers logs and queries for which people have named the right pages."""

from __future__ import annotations

import math
from pathlib import Path

from msgspec import Struct

from validators.match.making.data_files import read_data

FILE = "match_scores.yaml"
"""Beside the catalog."""
PARTS = {
    "tuning": "logs that the search was tuned on",
    "aside": "logs put aside before the tuning; for some, cases were written later",
}
FRESH = "fresh logs, scored once, before anything was tuned on them"
INCIDENTS = "graph breaks and recompiles of real models"
_Z = 1.96


class Score(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Counts of logs.

    `related` logs are about the subject. For `with_case` of these a case exists, which the search
    names `first` or `among_three`; of the rest, `silent_without` get no answer. The other logs are
    `unrelated`; `silent` of these get no answer. The search is sure of `wrong` first pages. Of all
    logs, `by_line` get a first answer by a line that only its cause prints, `by_family` by
    one that its sisters print, too, and `by_words` by words alone. `right_by_line`,
    `right_by_family` and `right_by_words` of these answers are right.
    """

    related: int
    with_case: int
    first: int
    among_three: int
    unrelated: int
    silent: int
    by_line: int
    right_by_line: int
    by_words: int
    right_by_words: int
    by_family: int = 0
    right_by_family: int = 0
    silent_without: int = 0
    wrong: int = 0


class QueryScore(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Counts of queries: the search answers `first` with a right page, or `among_three`.

    A query that no page answers is answered right if it gets no answer. The search says of `wrong`
    first pages that they answer.
    """

    queries: int
    first: int
    among_three: int
    wrong: int = 0


class FamilyScore(Struct, frozen=True, kw_only=True):
    """Counts of families: `texts` hold lines of `families`; `right` of these the search names."""

    texts: int
    families: int
    right: int


class Fresh(Struct, frozen=True, kw_only=True):
    """The scores of what nothing was tuned on, taken once.

    The `sentences` are counted by kind. The `incidents` are breaks and recompiles of real models,
    counted as logs are. The families of the logs and of the incidents are counted apart.
    """

    logs: Score
    log_families: FamilyScore
    sentences: dict[str, QueryScore]
    incidents: Score
    incident_families: FamilyScore


class Scores(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The scores of the logs by part, of the queries by part and kind, and of the fresh set.

    `missed` names the logs and queries to tune on for which another page should come first.
    """

    logs: dict[str, Score] = {}
    queries: dict[str, dict[str, QueryScore]] = {}
    fresh: Fresh | None = None
    missed: list[str] = []


def load_scores(playbooks: Path) -> Scores:
    """The recorded scores; none if the file is missing.

    Raises:
        CasebookError: the file does not hold scores.
    """
    return read_data(playbooks / FILE, Scores, Scores(), "scores")


def share(hits: int, of: int) -> str:
    """Return such as "45 of 76 (48 to 70 %)", with the confidence interval, or "none"."""
    if not of:
        return "none"
    low, high = interval(hits, of)
    return f"{hits} of {of} ({100 * low:.0f} to {100 * high:.0f} %)"


def interval(hits: int, of: int) -> tuple[float, float]:
    """The 95 % confidence interval of the share `hits` of `of` (Wilson, 1927)."""
    if not of:
        return 0.0, 1.0
    share, spread = hits / of, _Z * _Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
