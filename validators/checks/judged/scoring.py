"""What the search answers to judged texts, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from validators.checks.judged.judged_set import JudgedSet
from validators.checks.judged.judged_text import UNRELATED, Text
from validators.match import Found, Index, search, search_log
from validators.match.index import CASE
from validators.match.language.terms import terms_of
from validators.match.log_lines import parse_lines
from validators.match.making.scores import PARTS, FamilyScore, Fresh, QueryScore, Score, Scores
from validators.match.making.term_statistics import TermStatistics


@dataclass(frozen=True)
class Answer:
    """The names of the pages that answer a text, best first, and what speaks for the first.

    `sure` says that the search is sure of the first.
    """

    text: Text
    names: tuple[str, ...]
    by: str
    sure: bool

    def names_page(self, most: int) -> bool:
        """Return whether a page that answers is among the first `most`."""
        return not self.text.pages.isdisjoint(self.names[:most])

    @property
    def silent(self) -> bool:
        """Whether there is no answer to a text about something else, which is right."""
        return self.text.kind == UNRELATED and not self.names

    @property
    def open(self) -> bool:
        """Whether one may look at the answer when one changes the search."""
        return self.text.part == "tuning"

    @property
    def missed(self) -> bool:
        """Whether another answer should come first."""
        wanted = self.text.pages or self.text.kind == UNRELATED
        return bool(wanted) and not (self.silent or self.names_page(1))


def answer(index: Index, text: Text) -> Answer:
    """Search for a text."""
    found = search(index, _lines(text))
    pages = [match.page for match in found.matches]
    names = (page.name if page.kind == CASE else f"{page.kind}:{page.name}" for page in pages)
    by = found.matches[0].by if pages else ""
    return Answer(text, tuple(names), by, bool(pages) and found.sure)


def score_logs(answers: Iterable[Answer]) -> Score:
    """Count the answers to logs; a log without a case counts as one that is not found."""
    counts = Counter[str]()
    for one in answers:
        right = one.names_page(1)
        counts.update({f"by_{one.by}": 1, f"right_by_{one.by}": right})
        counts.update(wrong=one.sure and not right)
        if one.text.kind == UNRELATED:
            counts.update(unrelated=1, silent=one.silent)
        else:
            counts.update(related=1, with_case=bool(one.text.pages), first=right)
            counts.update(among_three=one.names_page(3))
            counts.update(silent_without=not one.text.pages and not one.names)
    return Score(**{name: int(counts[name]) for name in Score.__struct_fields__})


def score_queries(answers: Sequence[Answer]) -> QueryScore:
    """Count the answers to queries; silence is right where there is nothing to find."""
    return QueryScore(
        queries=len(answers),
        first=sum(one.silent or one.names_page(1) for one in answers),
        among_three=sum(one.silent or one.names_page(3) for one in answers),
        wrong=sum(one.sure and not one.names_page(1) for one in answers),
    )


def score(logs: Sequence[Answer], queries: Sequence[Answer], fresh: Fresh | None) -> Scores:
    """Count the answers to the logs by part, and to the queries by part and kind."""
    if not logs and not queries:
        return Scores(fresh=fresh)
    parts: dict[str, list[Answer]] = {}
    for one in queries:
        parts.setdefault(one.text.part, []).append(one)
    return Scores(
        logs={part: score_logs(one for one in logs if one.text.part == part) for part in PARTS},
        queries={part: _by_kind(its) for part, its in parts.items()},
        fresh=fresh,
        missed=sorted(one.text.name for one in (*logs, *queries) if one.open and one.missed),
    )


def score_fresh(judged: JudgedSet, cases: Index, pages: Index) -> Fresh | None:
    """Count the answers to what nothing was tuned on; None if there is nothing of the kind.

    `cases` answers logs, and `pages` answers sentences.
    """
    if not judged.fresh_logs and not judged.sentences and not judged.incidents:
        return None
    return Fresh(
        logs=score_logs(answer(cases, log) for log in judged.fresh_logs),
        log_families=score_families(cases, judged.fresh_logs),
        sentences=_by_kind(answer(pages, text) for text in judged.sentences),
        incidents=score_logs(answer(cases, text) for text in judged.incidents),
        incident_families=score_families(cases, judged.incidents),
    )


def _by_kind(answers: Iterable[Answer]) -> dict[str, QueryScore]:
    kinds: dict[str, list[Answer]] = {}
    for one in answers:
        kinds.setdefault(one.text.kind, []).append(one)
    return {kind: score_queries(its) for kind, its in sorted(kinds.items())}


def score_families(index: Index, texts: Iterable[Text]) -> FamilyScore:
    """Count the families that the answers to logs name."""
    wanted = [text for text in texts if text.families]
    right = (
        text.families & named_families(index, search_log(index, _lines(text))) for text in wanted
    )
    return FamilyScore(
        texts=len(wanted),
        families=sum(len(text.families) for text in wanted),
        right=sum(map(len, right)),
    )


def _lines(text: Text) -> Iterable[tuple[int, str]]:
    return enumerate(text.text.splitlines(), 1)


def named_families(index: Index, found: Found) -> set[tuple[str, str]]:
    """Return the kinds and keys of the families that an answer names."""
    numbers = (number for cause in found.causes for number in cause.first.families)
    families = (index.families[number] for number in numbers)
    pages = (match.page for match in found.matches if match.page.kind != CASE)
    return {(it.kind, it.key) for it in families} | {(it.kind, it.name) for it in pages}


def term_statistics(logs: Iterable[Text]) -> TermStatistics:
    """Count in how many of the logs to tune on each term stands that more than one of them has."""
    counts: Counter[str] = Counter()
    tuning = [log for log in logs if log.part == "tuning"]
    for log in tuning:
        telling = (line.text for line in parse_lines(_lines(log)) if line.informative)
        counts.update({term for text in telling for term in terms_of(text)})
    common = {term: count for term, count in sorted(counts.items()) if count > 1}
    return TermStatistics(len(tuning), common)
