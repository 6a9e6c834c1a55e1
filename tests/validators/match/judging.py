"""How well `match` answers the judged logs; run as a module, it records the score for the site."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from validators.catalog import load_catalog
from validators.match import Index, build_index, search
from validators.match.scores import PARTS, Score

ROOT = Path(__file__).resolve().parents[3]
SCORES = ROOT / "playbooks" / "match_scores.yaml"
LOGS = Path(__file__).with_name("user_logs")
Log = dict[str, Any]


def judged_logs() -> list[Log]:
    """All of them, in the order of their numbers."""
    return [yaml.safe_load(file.read_text("utf-8")) for file in sorted(LOGS.iterdir())]


def our_index() -> Index:
    """The index of our own catalog."""
    return build_index(load_catalog(ROOT / "playbooks" / "catalog"))


def score(index: Index, logs: Iterable[Log]) -> Score:
    """The answers to `logs`, counted; a log without a case counts as one that is not found."""
    related = first = among_three = with_case = unrelated = silent = 0
    for log in logs:
        names = [it.case for it in search(index, enumerate(log["log"].splitlines(), 1)).matches]
        if log["category"] == "unrelated":
            unrelated += 1
            silent += not names
            continue
        wanted = set(log.get("expect", []))
        related += 1
        with_case += bool(wanted)
        first += bool(wanted.intersection(names[:1]))
        among_three += bool(wanted.intersection(names[:3]))
    return Score(
        related=related,
        with_case=with_case,
        first=first,
        among_three=among_three,
        unrelated=unrelated,
        silent=silent,
    )


def scores() -> dict[str, Score]:
    """The score of each part."""
    index, logs = our_index(), judged_logs()
    return {part: score(index, [it for it in logs if it["part"] == part]) for part in PARTS}


if __name__ == "__main__":
    text = yaml.safe_dump(msgspec.to_builtins(scores()), sort_keys=False)
    SCORES.write_text(f"---\n{text}", encoding="utf-8")
