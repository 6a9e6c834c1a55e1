"""The index of a catalog: what a search needs, small enough to send to a browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validators.match.rules import Rules


@dataclass(frozen=True)
class Signature:
    """A pattern of lines, the text that each such line holds, and the cases that it points to."""

    pattern: str
    literal: str
    cases: list[int]


@dataclass(frozen=True, kw_only=True)
class Index:
    """The cases, which the other fields name by their number.

    A text is about the subject if it holds a phrase of `subject`, or if `subject` is empty. A text
    with a line of a signature, or with a phrase of `near_subject`, may be about it: it gets only
    answers by such a line, and strong ones.
    `tenths` is the share of exact evidence that counts for each case. `breaks` holds graph breaks
    by id, as "gb0170". `postings` lists for each term, alternately, the step from one case to the
    next (starting from 0) and the term's weight for that case.
    """

    rules: Rules
    subject: list[str]
    near_subject: list[str]
    cases: list[str]
    tenths: list[int]
    signatures: list[Signature]
    breaks: dict[str, list[int]]
    postings: dict[str, list[int]]


def index_of(data: dict[str, Any]) -> Index:
    """The index that was written as JSON, read without other packages than Python's own."""
    signatures = [Signature(**it) for it in data["signatures"]]
    return Index(**{**data, "rules": Rules(**data["rules"]), "signatures": signatures})
