"""How well the search answers the judged logs and queries; run as a module, it records that.

The fresh logs and sentences and the incidents of real models are scored only if the file of scores
has none of it: their numbers are of the search as it was when they were collected, which nothing
was tuned on.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from validators.catalog import Case, Catalog, load_catalog
from validators.evidence.examples import load_examples
from validators.families import Family, load_families
from validators.match import Index, search, search_log
from validators.match.building import build_index, signatures_of
from validators.match.index import CASE
from validators.match.log_lines import parse_lines
from validators.match.scores import (
    PARTS,
    FamilyScore,
    Fresh,
    QueryScore,
    Score,
    Scores,
    load_scores,
)
from validators.match.term_statistics import FILE as TERMS_FILE
from validators.match.term_statistics import TermStatistics
from validators.match.terms import terms_of
from validators.match.topics import other_pages
from validators.repository import Repository

ROOT = Path(__file__).resolve().parents[3]
SCORES = ROOT / "playbooks" / "match_scores.yaml"
LOGS, FRESH_LOGS = (Path(__file__).with_name(it) for it in ("user_logs", "fresh_logs"))
QUERIES, PASTED, FRESH_SENTENCES, MODEL_INCIDENTS = (
    Path(__file__).with_name(f"{it}.yaml")
    for it in ("queries", "pasted", "fresh_sentences", "model_incidents")
)
Log = dict[str, Any]
Queries = Mapping[str, list[str]]
"""Texts, and the pages that answer them: cases by name, others as `area:numerics`."""


def put_aside(text: str) -> bool:
    """Whether a text is in the third that nothing is tuned on: it decides itself, nobody else."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 3 == 0


@cache
def judged_logs() -> tuple[Log, ...]:
    """All of them, in the order of their files' names."""
    return _logs_in(LOGS)


def fresh_logs() -> tuple[Log, ...]:
    """Those of threads that the judged set does not hold; nothing is tuned on them."""
    return _logs_in(FRESH_LOGS)


def model_incidents() -> tuple[Log, ...]:
    """Breaks and recompiles of real models, as logs."""
    told = msgspec.yaml.decode(MODEL_INCIDENTS.read_bytes())
    return tuple({"category": "", "log": it["text"], **it} for it in told)


def _logs_in(folder: Path) -> tuple[Log, ...]:
    return tuple(msgspec.yaml.decode(file.read_bytes()) for file in sorted(folder.iterdir()))


@cache
def our_catalog() -> Catalog:
    """Our own catalog."""
    return load_catalog(ROOT / "playbooks" / "catalog")


@cache
def our_index() -> Index:
    """The index of our own catalog."""
    return build_index(our_catalog(), families=our_families())


@cache
def site_index() -> Index:
    """The index of our catalog, its areas and its guides."""
    others = other_pages(Repository(our_catalog().root, []))
    return build_index(our_catalog(), others, our_families())


@cache
def our_families() -> tuple[Family, ...]:
    """What torch can say, as recorded."""
    return tuple(load_families(ROOT / "playbooks"))


def fresh_sentences() -> Queries:
    """What people ask in threads; nothing is tuned on it."""
    return yaml.safe_load(FRESH_SENTENCES.read_text("utf-8"))


def judged_queries() -> dict[str, dict[str, Queries]]:
    """The queries by part and kind; what was pasted is a part of its own."""
    kinds = yaml.safe_load(QUERIES.read_text("utf-8"))
    pasted = yaml.safe_load(PASTED.read_text("utf-8"))
    logs = {it["log"]: it["expect"] for it in pasted["logs"].values()}
    parts = {
        part: {
            kind: {text: pages for text, pages in its.items() if put_aside(text) is aside}
            for kind, its in kinds.items()
        }
        for part, aside in (("tuning", False), ("aside", True))
    }
    return {**parts, "pasted": {"sentences": pasted["sentences"], "logs": logs}}


def answers(index: Index, text: str) -> list[str]:
    """The pages that answer a text, as `Queries` name them."""
    pages = (it.page for it in search(index, enumerate(text.splitlines(), 1)).matches)
    return [it.name if it.kind == CASE else f"{it.kind}:{it.name}" for it in pages]


def score_queries(index: Index, queries: Queries) -> QueryScore:
    """The answers to `queries`, counted."""
    counts = Counter[str](queries=len(queries))
    for text, wanted in queries.items():
        found = answers(index, text)
        silent = not wanted and not found
        counts.update(first=silent or bool({*wanted} & {*found[:1]}))
        counts.update(among_three=silent or bool({*wanted} & {*found[:3]}))
    return QueryScore(**{name: counts[name] for name in QueryScore.__struct_fields__})


def query_scores() -> dict[str, dict[str, QueryScore]]:
    """The scores of the queries by part and kind."""
    return {
        part: {kind: score_queries(site_index(), its) for kind, its in kinds.items()}
        for part, kinds in judged_queries().items()
    }


def score(index: Index, logs: Iterable[Log]) -> Score:
    """The answers to `logs`, counted; a log without a case counts as one that is not found."""
    counts = Counter[str]()
    for log in logs:
        matches = search(index, enumerate(log["log"].splitlines(), 1)).matches
        names, wanted = [it.page.name for it in matches], set(log.get("expect", []))
        right = bool(wanted.intersection(names[:1]))
        if matches:
            by = f"by_{matches[0].by}"
            counts.update({by: 1, f"right_{by}": right})
        if log["category"] == "unrelated":
            counts.update(unrelated=1, silent=not names)
            continue
        counts.update(related=1, with_case=bool(wanted), first=right)
        counts.update(among_three=bool(wanted.intersection(names[:3])))
    return Score(**{name: int(counts[name]) for name in Score.__struct_fields__})


def named_families(index: Index, text: str) -> set[tuple[str, str]]:
    """The kinds and keys of the families that the answer to a log, however short, names."""
    found = search_log(index, enumerate(text.splitlines(), 1))
    told = (index.families[it] for cause in found.causes for it in cause.first.families)
    pages = (it.page for it in found.matches if it.page.kind != CASE)
    return {(it.kind, it.key) for it in told} | {(it.kind, it.name) for it in pages}


def score_families(index: Index, logs: Iterable[Log]) -> FamilyScore:
    """The families that the answers to `logs` name, counted."""
    counts = Counter[str]()
    for log in logs:
        wanted = {(kind, key) for kind, key in log["families"]}
        right = wanted & named_families(index, log["log"])
        counts.update(texts=bool(wanted), families=len(wanted), right=len(right))
    return FamilyScore(**{name: int(counts[name]) for name in FamilyScore.__struct_fields__})


def score_fresh(logs: Iterable[Log], sentences: Queries, incidents: Iterable[Log]) -> Fresh:
    """The answers to logs, sentences and incidents that nothing was tuned on."""
    logs, incidents, index = [*logs], [*incidents], our_index()
    return Fresh(
        logs=score(index, logs),
        log_families=score_families(index, logs),
        sentences=score_queries(site_index(), sentences),
        incidents=score(index, incidents),
        incident_families=score_families(index, incidents),
    )


def fresh_scores() -> Fresh:
    """The scores of the fresh set."""
    return score_fresh(fresh_logs(), fresh_sentences(), model_incidents())


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
        if name in our_catalog().by_name
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
    place = [it.page.name for it in matches].index(case.name)
    by_line = {it.page.name for it in matches if it.lines} - {case.name}
    before = {it.page.name for it in matches[:place]}
    return by_line, before & by_line, len(before - by_line)


def _record(file: Path, value: object) -> None:
    text = yaml.safe_dump(msgspec.to_builtins(value), sort_keys=False)
    file.write_text(f"---\n{text}", encoding="utf-8")


if __name__ == "__main__":
    _record(ROOT / "playbooks" / TERMS_FILE, term_statistics(judged_logs()))
    once = load_scores(SCORES.parent).fresh or fresh_scores()
    _record(SCORES, Scores(logs=scores(), queries=query_scores(), fresh=once))
