"""Checks of what lists show of a case: its title, its summary and its fix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validators.catalog import Case
from validators.catalog.case import PLACEHOLDER
from validators.catalog.page import line_of, split_page
from validators.errors import Problem

MOST_WORDS = {"title": 10, "summary": 20, "fix": 20}
MOST_WORDS_OF_A_LIMIT = 10
_RIDDLES = re.compile(r"\b(?:(?:is|are) (?:no|nothing)|of which)\b|^In the default configuration")
"""Turns of phrase that hide who does what; the preamble says what every reader assumes."""


_QUOTED = "`{}` begins and ends with a quotation mark that readers see; remove both"


def check_words(case: Case) -> Iterator[Problem]:
    """Lines that are missing, too long for a list or unclear, and fixes that name no code."""
    if case.retired:
        return
    source, _, _ = split_page(case.page)
    if _is_quoted(case.meta.claim.strip()):
        yield Problem(case.page, line_of(source, "claim"), _QUOTED.format("claim"))
    lines = {
        "title": (case.title, case.title_line),
        "summary": (case.meta.summary.strip(), line_of(source, "summary")),
        "fix": (case.meta.fix.strip(), line_of(source, "fix")),
    }
    for field, (text, line) in lines.items():
        for message in _defects(field, text):
            yield Problem(case.page, line, message)
    for kind, text in case.meta.limits.items():
        for message in _defects_of_limit(kind, text):
            yield Problem(case.page, line_of(source, "limits"), message)


def _defects_of_limit(kind: str, text: str) -> Iterator[str]:
    if (count := len(text.split())) > MOST_WORDS_OF_A_LIMIT:
        yield f"`limits`: `{kind}` has {count} words; write at most {MOST_WORDS_OF_A_LIMIT}"
    if text.rstrip().endswith("."):
        yield f"`limits`: `{kind}` ends with a period; leave it out, as it stands behind the `fix`"


def _defects(field: str, text: str) -> Iterator[str]:
    most = MOST_WORDS[field]
    if not text:
        yield f"has no `{field}`; write one of at most {most} words"
        return
    if PLACEHOLDER in text:
        return
    if _is_quoted(text):
        yield _QUOTED.format(field)
    if (count := len(text.split())) > most:
        yield f"`{field}` has {count} words; write at most {most}"
    if found := _RIDDLES.search(text):
        yield f"`{field}`: {found[0]!r} hides who does what; say it with a verb"
    if field == "fix" and "`" not in text:
        yield "`fix` names no code; write an instruction with some, in backticks"


def _is_quoted(text: str) -> bool:
    """Whether quotation marks of YAML have become part of `text`."""
    return len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
