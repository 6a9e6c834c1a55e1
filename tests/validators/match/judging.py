"""How well `match` answers the judged logs; run as a module, it records that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from validators.catalog import Case, Catalog, load_catalog
from validators.evidence.examples import load_examples
from validators.match import Index, search
from validators.match.building import build_index, signatures_of
from validators.match.log_lines import parse_lines
from validators.match.scores import PARTS, Score
from validators.match.term_statistics import FILE as TERMS_FILE
from validators.match.term_statistics import TermStatistics
from validators.match.terms import terms_of

ROOT = Path(__file__).resolve().parents[3]
SCORES = ROOT / "playbooks" / "match_scores.yaml"
LOGS = Path(__file__).with_name("user_logs")
Log = dict[str, Any]


@cache
def judged_logs() -> tuple[Log, ...]:
    """All of them, in the order of their files' names."""
    return tuple(msgspec.yaml.decode(file.read_bytes()) for file in sorted(LOGS.iterdir()))


@cache
def our_catalog() -> Catalog:
    """Our own catalog."""
    return load_catalog(ROOT / "playbooks" / "catalog")


@cache
def our_index() -> Index:
    """The index of our own catalog."""
    return build_index(our_catalog())


def score(index: Index, logs: Iterable[Log]) -> Score:
    """The answers to `logs`, counted; a log without a case counts as one that is not found."""
    counts = Counter[str]()
    for log in logs:
        matches = search(index, enumerate(log["log"].splitlines(), 1)).matches
        names, wanted = [it.case for it in matches], set(log.get("expect", []))
        right = bool(wanted.intersection(names[:1]))
        if matches:
            by = "by_line" if matches[0].lines else "by_words"
            counts.update({by: 1, f"right_{by}": right})
        if log["category"] == "unrelated":
            counts.update(unrelated=1, silent=not names)
            continue
        counts.update(related=1, with_case=bool(wanted), first=right)
        counts.update(among_three=bool(wanted.intersection(names[:3])))
    return Score(**{name: counts[name] for name in Score.__struct_fields__})


def term_statistics(logs: Iterable[Log]) -> TermStatistics:
    """In how many of the logs to tune on each term stands that more than one of them has."""
    counts: Counter[str] = Counter()
    tuning = [log["log"].splitlines() for log in logs if log["part"] == "tuning"]
    for lines in tuning:
        told = (line.text for line in parse_lines(enumerate(lines, 1)) if line.informative)
        counts.update({term for text in told for term in terms_of(text)})
    common = {term: count for term, count in sorted(counts.items()) if count > 1}
    return TermStatistics(len(tuning), common)


def scores() -> dict[str, Score]:
    """The score of each part."""
    index, logs = our_index(), judged_logs()
    return {part: score(index, [it for it in logs if it["part"] == part]) for part in PARTS}


def example_logs() -> dict[str, list[str]]:
    """What the programs before the fix printed where they showed the trouble, by case."""
    found = {
        name: {
            runs.printed.get(run.before, "")
            for run in runs.columns.values()
            if run.verdict == "confirmed"
        }
        for name, runs in load_examples(ROOT / "playbooks" / "evidence").items()
    }
    return {name: sorted(logs) for name, logs in found.items() if logs}


def is_signed(case: Case, log: str) -> bool:
    """Whether a signature of the case matches a line."""
    lines = log.splitlines()
    return any(re.search(pattern, line) for pattern in signatures_of(case) for line in lines)


def rivals(index: Index, case: Case, log: str) -> tuple[set[str], set[str], int]:
    """The cases that have a line of `log` as evidence, as `case` has: all, and those before it.

    Then how many come before it by words alone.
    """
    matches = search(index, enumerate(log.splitlines(), 1), most=len(index.cases)).matches
    place = [it.case for it in matches].index(case.name)
    by_line = {it.case for it in matches if it.lines} - {case.name}
    before = {it.case for it in matches[:place]}
    return by_line, before & by_line, len(before - by_line)


def _record(file: Path, value: object) -> None:
    text = yaml.safe_dump(msgspec.to_builtins(value), sort_keys=False)
    file.write_text(f"---\n{text}", encoding="utf-8")


if __name__ == "__main__":
    _record(ROOT / "playbooks" / TERMS_FILE, term_statistics(judged_logs()))
    _record(SCORES, scores())
