"""The words of a log by which a case is recognized: what its example printed on each release."""

from __future__ import annotations

import re
from collections.abc import Iterable

from packaging.version import Version

from validators.catalog import Case
from validators.evidence.stored.examples import CaseExamples, bare, example_digest

LONGEST, PART = 80, 48
"""The most characters of a line's start, and of what a signature fits after it."""
_NOISE = re.compile(
    r"^(?:- )*(?:last reason: )?(?:\d+/\d+: )?"
    r"(?:\S+\.(?:py|c|cpp|h):[\d:]+ )?(?:torch\.[\w.]+\.(?=[A-Z]\w*:))?"
    r"|(?:\bkernel, \S+, )|(?: +# .*)|[^\s\"(]*/site-packages/|\[/\S+\] "
)
"""What a log puts around a message beside its prefix: guard numbers, places, the source line."""
_OUTER = re.compile(r"^(?:\w+(?:Error|Exception): )+(?=\w+Error: )")
"""Exceptions around the one that tells the cause."""
_NOT_LITERAL = re.compile(r"\\[a-zA-Z]|(?<!\\)[.*+?|()\[\]{}^$]+")
_VARIES = re.compile(r"'[^'\s]*'|\w*\d\w*")


def lines_that_show(case: Case, runs: CaseExamples | None) -> list[str]:
    """The line that shows the symptom on each release that shows it, newest release first."""
    digest = example_digest(case)
    showing = [
        run
        for run in (runs.columns.values() if runs else ())
        if run.digest == digest and run.verdict == "confirmed"
    ]
    return [run.line for run in sorted(showing, key=lambda it: Version(it.torch), reverse=True)]


def message(line: str) -> str:
    """What a printed line says, without what a log puts around it."""
    return _OUTER.sub("", _NOISE.sub("", bare(line))).strip() or bare(line)


def wordings(lines: list[str], patterns: list[str]) -> list[str]:
    """The messages of `lines`, cut, that differ in more than names and numbers, in their order.

    A long line is cut to the part that one of the `patterns` fits. Of two messages, where one is
    part of the other, the longer stands for both.
    """
    kept: dict[str, str] = {}
    for text in dict.fromkeys(cut(message(line), patterns) for line in lines):
        form = _VARIES.sub("", text)
        if any(form in other for other in kept):
            continue
        kept = {key: value for key, value in kept.items() if key not in form} | {form: text}
    return list(kept.values())


def cut(text: str, patterns: Iterable[str] = ()) -> str:
    """The start of `text`, at most `LONGEST` characters, and what one of the `patterns` fits."""
    start = _first_words(text, LONGEST)
    for match in (re.search(pattern, text) for pattern in patterns):
        if match and match.end() > len(start):
            at = max(match.start(), len(start))
            return f"{start} … {_first_words(text[at:].lstrip(), PART)}"
    return start if start == text else f"{start} …"


def _first_words(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    whole, _, _ = text[: most + 1].rpartition(" ")
    return whole if len(whole) > most // 2 else text[:most]


def literal(case: Case) -> str:
    """The type of the case's graph break, or the longest plain text in one of its signatures."""
    if case.meta.graph_break:
        return case.meta.graph_break.type
    parts = (part for it in case.meta.signatures for part in _NOT_LITERAL.split(it))
    return max((part.replace("\\", "").strip(" :,'\"(") for part in parts), key=len, default="")
