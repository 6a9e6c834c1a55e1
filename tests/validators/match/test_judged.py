"""How well the search answers the judged logs: what is recorded is what it does."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.validators.match.judging import (
    SCORES,
    judged_logs,
    judged_queries,
    our_catalog,
    put_aside,
    query_scores,
    scores,
    site_index,
    term_statistics,
)
from validators.errors import CasebookError
from validators.match.scores import PARTS, Scores, interval, load_scores
from validators.match.term_statistics import TermStatistics, load_term_statistics


def test_a_third_was_put_aside_before_the_tuning() -> None:
    """By a hash, so about a third of the related and of the unrelated."""
    logs = judged_logs()
    assert {log["part"] for log in logs} == set(PARTS)
    for log in logs:
        assert (log["part"] == "aside") is put_aside(log["source"]), log["source"]
    for unrelated in (True, False):
        parts = Counter(it["part"] for it in logs if (it["category"] == "unrelated") is unrelated)
        assert 0.2 < parts["aside"] / parts.total() < 0.5


def test_the_recorded_scores_are_the_ones_it_has() -> None:
    """Else: `python -m tests.validators.match.judging`, and look at what became worse.

    The fresh set is scored once, so its numbers are those of then.
    """
    recorded = load_scores(SCORES.parent)
    assert recorded == Scores(logs=scores(), queries=query_scores(), fresh=recorded.fresh)


def test_the_recorded_term_statistics_are_those_of_the_logs() -> None:
    """Of the part that is tuned on, and of no other."""
    assert load_term_statistics(SCORES.parent) == term_statistics(judged_logs())


def test_answers_do_not_get_worse() -> None:
    """On the logs that may be tuned on."""
    tuned = load_scores(SCORES.parent).logs["tuning"]
    assert tuned.first >= 0.75 * tuned.with_case
    assert tuned.among_three >= 0.8 * tuned.with_case
    assert tuned.silent >= 0.95 * tuned.unrelated
    assert tuned.right_by_line >= 0.9 * tuned.by_line


@pytest.mark.parametrize("part", ["tuning", "aside", "pasted"])
def test_nine_of_ten_queries_get_a_right_page_first(part: str) -> None:
    """In each part; of each kind most get one among three."""
    kinds = load_scores(SCORES.parent).queries[part]
    queries = sum(it.queries for it in kinds.values())
    assert sum(it.first for it in kinds.values()) >= 0.9 * queries
    for kind, counts in kinds.items():
        assert counts.among_three >= 0.75 * counts.queries, kind


def test_every_kind_of_query_is_judged() -> None:
    """Enough of each, a third of them put aside, and each names pages that there are."""
    names = {*our_catalog().by_name, *(f"{it.kind}:{it.name}" for it in site_index().pages)}
    parts = judged_queries()
    assert sum(map(len, parts["tuning"].values())) + sum(map(len, parts["aside"].values())) >= 60
    assert len(parts["pasted"]["sentences"]) >= 24 and len(parts["pasted"]["logs"]) >= 10
    for kinds in parts.values():
        for kind, queries in kinds.items():
            assert queries, kind
            for text, pages in queries.items():
                assert {*pages} <= names, text
                assert bool(pages) is (kind != "unrelated"), text


@pytest.mark.parametrize(
    ("hits", "of", "expected"),
    [(0, 0, (0.0, 1.0)), (0, 10, (0.0, 0.278)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1.0))],
)
def test_the_interval_is_wilsons(hits: int, of: int, expected: tuple[float, float]) -> None:
    """Values of the published formula; it stays within 0 and 1."""
    assert interval(hits, of) == pytest.approx(expected, abs=5e-4)


def test_a_broken_file_of_scores_is_named(tmp_path) -> None:
    """And none is no error: a casebook may have no judged logs."""
    assert load_scores(tmp_path) == Scores()
    (tmp_path / "match_scores.yaml").write_text("logs: {tuning: {related: many}}\n")
    with pytest.raises(CasebookError, match=r"match_scores\.yaml: holds no scores \("):
        load_scores(tmp_path)


def test_broken_term_statistics_are_named(tmp_path) -> None:
    """And a casebook may have none."""
    assert load_term_statistics(tmp_path) == TermStatistics()
    (tmp_path / "match_terms.yaml").write_text("frequencies: [error]\n")
    with pytest.raises(CasebookError, match=r"match_terms\.yaml: holds no term statistics \("):
        load_term_statistics(tmp_path)
