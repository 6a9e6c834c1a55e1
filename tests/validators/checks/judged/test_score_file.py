"""The scores beside the catalog: recorded on request, and compared with what the search does."""

from __future__ import annotations

import pytest
import yaml

from .conftest import FRAME, LINE, fresh_log, log

COMMAND = "`python -m validators check --match --fix`"


@pytest.fixture
def recorded(judged):
    """A casebook with three logs that are right first, and its recorded scores."""
    judged.logs(*_logs())
    judged.judge(fix=True)
    assert judged.problems("match_") == []
    return judged


def _logs(wanted="line_slow", text=LINE):
    return (
        log(FRAME, "frame_skipped", source="a/b#1"),
        log(FRAME, "frame_skipped", source="a/b#2"),
        log(text, wanted, source="a/b#3"),
    )


def test_recording_again_changes_nothing(recorded):
    """The files are returned where a count has changed."""
    assert recorded.judge(fix=True).recorded == []
    recorded.logs(*_logs(), log(FRAME, "frame_skipped", source="a/b#4"))
    assert [it.name for it in recorded.judge(fix=True).recorded] == [
        "match_terms.yaml",
        "match_scores.yaml",
    ]


def test_a_wrong_case_is_found_at_its_log(recorded):
    """With what comes first, and how to accept it."""
    recorded.logs(*_logs("frame_skipped"))
    assert recorded.problems("user_logs") == [
        "user_logs.jsonl:3: a/b#3: line_slow (by line) comes first, not frame_skipped; correct the"
        " label, write a signature that only the right cause prints or an `asked` line, or record"
        f" the miss with {COMMAND}"
    ]
    found = recorded.problems("match_scores")
    assert any(
        it.startswith("match_scores.yaml:6: logs.tuning.first is 2, and 3 is recorded; ")
        for it in found
    )
    recorded.judge(fix=True)
    assert recorded.problems("user_logs") == []


def test_a_miss_that_nobody_may_look_at_is_only_counted(recorded):
    """Nothing is tuned on what is put aside."""
    aside = log(FRAME, "frame_skipped", source="a/b#5")
    assert aside["part"] == "aside"
    recorded.logs(*_logs(), aside)
    recorded.judge(fix=True)
    recorded.logs(*_logs(), aside | {"expect": ["line_slow"]})
    assert recorded.problems("user_logs") == []
    (first, *_) = recorded.problems("match_scores")
    assert "logs.aside.first is 0, and 1 is recorded" in first


def test_a_miss_that_is_gone_is_recorded_too(recorded):
    """Else it could come back unseen."""
    recorded.logs(*_logs("frame_skipped"))
    recorded.judge(fix=True)
    recorded.logs(*_logs())
    line = _scores(recorded).read_text().split("\n").index("- a/b#3") + 1
    said = f"a/b#3 is missed no more; record that with {COMMAND}"
    assert f"match_scores.yaml:{line}: {said}" in recorded.problems("match_scores")


def _scores(recorded):
    return recorded.playbooks / "match_scores.yaml"


@pytest.mark.parametrize("change", [("first: 3", "first: 4"), ("related: 3", "related: 2")])
def test_a_score_that_fell_is_found(recorded, change):
    """As is any number that is not the one that it has."""
    path = _scores(recorded)
    path.write_text(path.read_text().replace(*change, 1))
    name, _, number = change[1].partition(": ")
    (found,) = recorded.problems("match_scores")
    assert f": logs.tuning.{name} is 3, and {number} is recorded; look at" in found


def test_a_query_and_its_kind_are_compared(recorded):
    """A kind that is not recorded, and one that is gone."""
    recorded.write("pasted.yaml", {"sentences": {"frame_skipped": ["frame_skipped"]}})
    (found, *_) = recorded.problems("match_scores")
    assert "queries.pasted.sentences.queries is 1, and nothing is recorded; look at" in found
    recorded.judge(fix=True)
    (recorded.folder / "pasted.yaml").unlink()
    (found, *_) = recorded.problems("match_scores")
    assert "queries.pasted.sentences.queries is gone, and 1 is recorded; look at" in found


def test_the_terms_are_compared(recorded):
    """They weigh the words of any log."""
    path = recorded.playbooks / "match_terms.yaml"
    path.write_text(path.read_text().replace("fram: 2", "fram: 1"))
    said = f"does not count the terms of the logs; record them with {COMMAND}"
    assert recorded.problems("match_terms") == [f"match_terms.yaml:0: {said}"]


def test_low_shares_are_found_however_they_are_recorded(recorded):
    """Of the logs to tune on, and of the queries of each part and kind."""
    texts = {f"dog {number}": ["frame_skipped"] for number in range(4)}
    recorded.write("pasted.yaml", {"sentences": {"frame_skipped": ["frame_skipped"]} | texts})
    recorded.logs(*_logs("frame_skipped"))
    recorded.judge(fix=True)
    found = "\n".join(recorded.problems("match_scores"))
    improve = "; improve the search or the pages"
    assert f"2 of 3 are right, less than 70%{improve}" in found
    assert f"2 of 3 are right, less than 90%{improve}" in found
    assert f"first: 1 of 5 are right, less than 85%{improve}" in found
    assert f"1 of 5 are right, less than 60%{improve}" in found


def test_the_fresh_set_is_scored_once(recorded):
    """Its numbers stay what they were, whatever becomes of it."""
    recorded.logs(fresh_log(FRAME, "frame_skipped", source="c/d#1"), file="fresh_logs.jsonl")
    assert recorded.problems("match_scores") == []
    recorded.judge(fix=True)
    before = _scores(recorded).read_text()
    assert yaml.safe_load(before)["fresh"]["logs"]["first"] == 1
    recorded.logs(fresh_log(LINE, "frame_skipped", source="c/d#1"), file="fresh_logs.jsonl")
    assert recorded.judge(fix=True).recorded == []
    assert _scores(recorded).read_text() == before


def test_nothing_is_recorded_of_wrong_labels(recorded):
    """They come first."""
    recorded.logs(*_logs("nothing"))
    assert recorded.judge(fix=True).recorded == []


def test_broken_scores_are_a_problem(recorded):
    """In a sentence with the file."""
    _scores(recorded).write_text("logs: {tuning: {related: many}}\n")
    (found,) = recorded.judge().problems
    assert "match_scores.yaml: holds no scores (" in found.message
