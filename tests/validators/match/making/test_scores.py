"""The recorded scores and counts of terms: read, and told apart from broken ones."""

from __future__ import annotations

import msgspec
import pytest
import yaml

from validators.errors import CasebookError
from validators.match.making.scores import (
    FamilyScore,
    Fresh,
    QueryScore,
    Score,
    Scores,
    interval,
    load_scores,
)
from validators.match.making.term_statistics import TermStatistics, load_term_statistics


@pytest.mark.parametrize(
    ("hits", "of", "expected"),
    [(0, 0, (0.0, 1.0)), (0, 10, (0.0, 0.278)), (5, 10, (0.237, 0.763)), (10, 10, (0.722, 1.0))],
)
def test_the_interval_is_wilsons(hits: int, of: int, expected: tuple[float, float]) -> None:
    """Values of the published formula; it stays within 0 and 1."""
    assert interval(hits, of) == pytest.approx(expected, abs=5e-4)


def test_scores_with_and_without_a_fresh_set_can_be_read(tmp_path) -> None:
    """Nothing stands in the file before the fresh set was scored."""
    score = Score(**dict.fromkeys(Score.__struct_fields__, 1))
    queries = QueryScore(queries=2, first=1, among_three=1)
    families = FamilyScore(texts=1, families=2, right=1)
    fresh = Fresh(
        logs=score,
        log_families=families,
        sentences={"short sentence": queries},
        incidents=score,
        incident_families=families,
    )
    for scores in (Scores(), Scores(fresh=fresh, missed=["a/b#1"])):
        text = yaml.safe_dump(msgspec.to_builtins(scores))
        (tmp_path / "match_scores.yaml").write_text(text)
        assert load_scores(tmp_path) == scores
        assert ("fresh" in text) is (scores.fresh is not None)


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
