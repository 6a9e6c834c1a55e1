"""Checks that patterns are found by a word of theirs exactly where trying each one finds them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from validators.checks.judged.family_pages import family_problem
from validators.checks.judged.judged_text import Text
from validators.errors import Problem
from validators.evidence.stored.examples import Examples, bare
from validators.families import Family, FamilyLines, Kind
from validators.match import Index
from validators.match.line_filter import LineFilter
from validators.waiting import Track

_LINES, _EXAMPLES = 600, 40
"""How many lines of logs are tried, and with how many examples each: more would only cost time."""
_PART_OF_ANOTHER: tuple[Kind, ...] = ("graph_break", "warning", "guard")
"""A line that fits such a family may say more, and then belongs to another one."""


def check_line_filter(
    index: Index, logs: Iterable[Text], track: Track
) -> tuple[int, list[Problem]]:
    """Try all patterns on some lines of logs; return how many fit, and what is wrong."""
    lines = {line: log for log in logs for line in log.text.splitlines()}
    sample = sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())[:_LINES]
    families = [pattern for family in index.families for pattern in family.patterns]
    rows = [(it.pattern, it.literal, it.literal) for it in index.signatures]
    rows += [(it.text, it.literal, it.around) for it in families]
    known = LineFilter(enumerate(rows))
    patterns = [re.compile(pattern, re.ASCII) for pattern, _, _ in rows]
    fitting = set[int]()
    problems = []
    for line in track(sample, "patterns in lines of logs"):
        tried = {number for number, pattern in enumerate(patterns) if pattern.search(line)}
        fitting |= tried
        for number in sorted(tried ^ set(known.matching(line))):
            message = (
                f"the pattern `{rows[number][0]}` and its literal {rows[number][1]!r} disagree on"
                f" the line {line[:80]!r}; correct validators/match/line_filter.py or the pattern"
            )
            problems.append(lines[line].problem(message))
    return len(fitting), problems


def check_family_lines(
    families: Sequence[Family], examples: Examples, playbooks: Path, track: Track
) -> tuple[int, list[Problem]]:
    """Try all families on what some examples printed; return how many lines, and what is wrong."""
    some = [runs for _, runs in sorted(examples.items())][::_EXAMPLES]
    texts = (text for runs in some for text in runs.printed.values())
    lines = sorted({bare(line) for text in texts for line in text.split("\n")})
    known = FamilyLines(families)
    patterns = [(it, re.compile("|".join(it.patterns), re.ASCII)) for it in families]
    problems = []
    for line in track(lines, "families in lines of examples"):
        slowly = {(it.kind, it.key): it for it, pattern in patterns if pattern.search(line)}
        quickly = {(it.kind, it.key): it for it in known.of(line)}
        wrong = {name: it for name, it in quickly.items() if name not in slowly}
        for name, it in slowly.items():
            if name not in quickly and (not quickly or it.kind not in _PART_OF_ANOTHER):
                wrong[name] = it
        problems += [
            family_problem(playbooks, it, f"is not read as it should be from {line[:80]!r}")
            for it in wrong.values()
        ]
    return len(lines), problems
