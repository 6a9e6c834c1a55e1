"""All checks of what `match` answers, with everything read and compiled once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from validators.catalog.page import InvalidPage
from validators.checks.judged.family_pages import check_families_covered, check_family_patterns
from validators.checks.judged.judged_set import JudgedSet, check_numbers, load_set
from validators.checks.judged.judged_text import FOLDER
from validators.checks.judged.labels import check_labels
from validators.checks.judged.line_patterns import check_family_lines, check_line_filter
from validators.checks.judged.score_file import check_scores, check_terms, record
from validators.checks.judged.scoring import answer, score, score_fresh, term_statistics
from validators.checks.judged.signature_lines import check_signatures, check_silent, printed_logs
from validators.checks.judged.topic_phrases import check_phrases, check_topics
from validators.errors import CasebookError, Problem
from validators.families import vocabulary_of
from validators.match import Index
from validators.match.making.building import build_index
from validators.match.making.scores import FILE as SCORES
from validators.match.making.scores import Scores, load_scores
from validators.match.making.term_statistics import FILE as TERMS
from validators.match.making.topics import other_pages
from validators.repository import Repository
from validators.waiting import T, Track


@dataclass
class Judgement:
    """How much was judged, by kind, how well it was answered, and every problem found.

    `recorded` are the files that were written because a count has changed.
    """

    judged: dict[str, int] = field(default_factory=dict)
    scores: Scores = field(default_factory=Scores)
    problems: list[Problem] = field(default_factory=list)
    recorded: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class _Indices:
    """The index of the cases alone, which logs are judged with, and that of all pages."""

    cases: Index
    pages: Index


def judge(repository: Repository, *, fix: bool = False, track: Track | None = None) -> Judgement:
    """Judge the answers to all labelled texts, and to what the examples print on each release.

    With `fix`, record the scores and the counts of terms first, if the labels are right. `track`
    shows the progress.
    """
    judgement = Judgement()
    try:
        _judge(repository, fix, track or _untracked, judgement)
    except InvalidPage as error:
        judgement.problems += error.problems
    except CasebookError as error:
        judgement.problems.append(Problem(repository.playbooks, 0, str(error)))
    return judgement


def _untracked(items: Sequence[T], what: str, /) -> Iterable[T]:
    return items


def _judge(repository: Repository, fix: bool, track: Track, judgement: Judgement) -> None:
    playbooks, catalog = repository.playbooks, repository.catalog
    judged = load_set(playbooks / FOLDER, catalog)
    vocabulary, others = vocabulary_of(repository), other_pages(repository)
    families = vocabulary.families
    names = [(it.kind, it.key) for it in families]
    problems = judgement.problems
    problems += judged.problems
    problems += check_labels(judged, catalog, others, names)
    fix = fix and not problems
    terms = term_statistics(judged.logs)
    if fix and judged.logs:
        judgement.recorded += record(playbooks / TERMS, terms)
    problems += check_terms(playbooks, terms)
    indices = _Indices(
        cases=build_index(catalog, families=families),
        pages=build_index(catalog, others, families),
    )
    _judge_answers(judged, indices, fix, track, judgement)
    problems += check_topics(playbooks, others)
    problems += check_phrases(judged.folder, indices.pages)
    printed = printed_logs(repository)
    for one in track(printed, "what examples print"):
        problems += check_signatures(indices.cases, one)
    problems += check_silent(repository, printed)
    problems += check_families_covered(vocabulary, playbooks)
    problems += check_family_patterns(families, playbooks)
    fitting, missed = check_line_filter(indices.cases, judged.logs, track)
    tried, more = check_family_lines(families, repository.examples, playbooks, track)
    problems += [*missed, *more]
    numbers = {
        "areas and guides": len(others),
        "cases whose examples print": len(printed),
        "patterns in lines of logs": fitting,
        "lines of examples": tried,
    }
    problems += check_numbers(judged.folder, judged.sizes | numbers)
    judgement.judged["logs of examples"] = sum(len(one.signed) for one in printed)


def _judge_answers(
    judged: JudgedSet, indices: _Indices, fix: bool, track: Track, judgement: Judgement
) -> None:
    """Score the answers to logs and queries, and compare the scores with the recorded ones."""
    logs = [answer(indices.cases, log) for log in track(judged.logs, "users' logs")]
    queries = [answer(indices.pages, query) for query in track(judged.queries, "queries")]
    path = judged.folder.parent / SCORES
    recorded = load_scores(path.parent)
    fresh = recorded.fresh
    if fix and not fresh:
        fresh = score_fresh(judged, indices.cases, indices.pages)
    judgement.scores = score(logs, queries, fresh)
    if fix and (logs or queries):
        judgement.recorded += record(path, judgement.scores)
        recorded = judgement.scores
    judgement.problems += check_scores(path, recorded, judgement.scores, [*logs, *queries])
    judgement.judged |= {"judged logs": len(logs), "judged queries": len(queries)}
