"""How well `match` answers the judged logs; run as a module, it records that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from validators.catalog import Case, Catalog, load_catalog
from validators.match import Index, build_index, search
from validators.match.background import FILE as WORDS_FILE
from validators.match.background import Background
from validators.match.clues import clues
from validators.match.index import signatures_of
from validators.match.scores import PARTS, Score
from validators.match.words import words

ROOT = Path(__file__).resolve().parents[3]
SCORES = ROOT / "playbooks" / "match_scores.yaml"
LOGS = Path(__file__).with_name("user_logs")
CASE_LOGS = sorted(Path(__file__).with_name("case_logs").iterdir())
ALIKE_FILE = Path(__file__).with_name("alike.yaml")
ALIKE: dict[str, list[str]] = yaml.safe_load(ALIKE_FILE.read_text("utf-8"))
Log = dict[str, Any]


def judged_logs() -> list[Log]:
    """All of them, in the order of their files' names."""
    return [yaml.safe_load(file.read_text("utf-8")) for file in sorted(LOGS.iterdir())]


def our_index() -> Index:
    """The index of our own catalog."""
    return build_index(load_catalog(ROOT / "playbooks" / "catalog"))


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


def background(logs: Iterable[Log]) -> Background:
    """In how many of the logs to tune on each word stands that more than one of them has."""
    counts: Counter[str] = Counter()
    tuning = [log["log"].splitlines() for log in logs if log["part"] == "tuning"]
    for lines in tuning:
        told = (clue.text for clue in clues(enumerate(lines, 1)) if clue.says)
        counts.update({word for text in told for word in words(text)})
    common = {word: count for word, count in sorted(counts.items()) if count > 1}
    return Background(len(tuning), common)


def scores() -> dict[str, Score]:
    """The score of each part."""
    index, logs = our_index(), judged_logs()
    return {part: score(index, [it for it in logs if it["part"] == part]) for part in PARTS}


def entries(file: Path) -> list[dict[str, Any]]:
    """The releases and logs of a file."""
    read: list[dict[str, Any]] = yaml.safe_load(file.read_text("utf-8"))
    return read


def before(index: Index, case: str, log: str) -> list[str] | None:
    """The cases that the search names before `case`; None where it does not name that at all."""
    lines = enumerate(log.splitlines(), 1)
    named = [match.case for match in search(index, lines, most=len(index.cases)).matches]
    return named[: named.index(case)] if case in named else None


def is_signed(case: Case, log: str) -> bool:
    """Whether a signature of the case matches a line."""
    lines = log.splitlines()
    return any(re.search(pattern, line) for pattern in signatures_of(case) for line in lines)


def is_found(index: Index, case: Case, log: str, alike: list[str]) -> bool:
    """Whether nothing but `alike` comes before the case, or two others at most if unsigned."""
    others = before(index, case.name, log)
    if others is None:
        return False
    most = 0 if is_signed(case, log) else 2
    return len([name for name in others if name not in alike]) <= most


def alike_of(
    index: Index, case: Case, logs: list[str], alike: list[str] | None
) -> list[str] | None:
    """Of `alike`, what the case's logs need, and what more they do; None where they need none.

    An empty list says that what the case prints does not speak of its claim, and stays.
    """
    missed = [log for log in logs if not is_found(index, case, log, [])]
    if not missed or alike == []:
        return alike if missed else None
    ahead = [before(index, case.name, log) or [] for log in missed]
    kept = [name for name in alike or [] if any(name in names for names in ahead)]
    for log, names in zip(missed, ahead, strict=True):
        if not is_found(index, case, log, kept):
            kept += [name for name in names if name not in kept]
    return kept


def write_alike(catalog: Catalog) -> None:
    """Bring alike.yaml up to what the search does; its beginning stays."""
    index = build_index(catalog)
    head, fence, _ = ALIKE_FILE.read_text("utf-8").partition("---\n")
    lines = []
    for file in CASE_LOGS:
        logs = [entry["log"] for entry in entries(file)]
        alike = alike_of(index, catalog.by_name[file.stem], logs, ALIKE.get(file.stem))
        if alike is not None:
            lines.append(f"{file.stem}: [{', '.join(alike)}]\n")
    ALIKE_FILE.write_text(head + fence + "".join(lines), encoding="utf-8")


def _record(file: Path, value: object) -> None:
    text = yaml.safe_dump(msgspec.to_builtins(value), sort_keys=False)
    file.write_text(f"---\n{text}", encoding="utf-8")


if __name__ == "__main__":
    _record(ROOT / "playbooks" / WORDS_FILE, background(judged_logs()))
    _record(SCORES, scores())
    write_alike(load_catalog(ROOT / "playbooks" / "catalog"))
