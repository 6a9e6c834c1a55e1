"""Labelled logs: how they are written, and what each must say."""

from __future__ import annotations

import json

import pytest

from validators.checks.judged.judged_logs import put_aside

from .conftest import FRAME, fresh_log, log


def test_logs_that_are_as_they_should_be(judged):
    """With an answer, with the claim of a missing case, and about something else."""
    judged.logs(
        log(FRAME, "frame_skipped", source="a/b#1"),
        log(FRAME, source="https://x.org/1", expect=None, missing="It skips."),
        log("npm ERR! größe \u2028 1", source="a/c#3", category="unrelated", torch=""),
    )
    judged.logs(fresh_log(FRAME, "frame_skipped"), file="fresh_logs.jsonl")
    assert judged.problems("logs.jsonl") == []


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"source": "my notes"}, "`source` is neither an issue nor an address"),
        ({"log": "x\n" * 61}, "has 61 lines; keep 1 to 60"),
        ({"log": ""}, "has 0 lines; keep 1 to 60"),
        ({"log": "/home/ann/x.py"}, "names the home of ann; write `user`"),
        ({"log": "C:\\Users\\ann\\x.py"}, "names the home of ann; write `user`"),
        ({"torch": "new"}, "`torch`: new is not a version"),
        ({"category": "speed"}, "`category`: speed is not an area"),
        ({"part": "aside"}, "`part` is aside, and the hash of the source says tuning"),
        ({"expect": None}, "needs either `expect` or `missing`"),
        ({"missing": "It skips."}, "needs either `expect` or `missing`"),
        ({"expect": None, "missing": "slow"}, "`missing` is not a sentence"),
        ({"category": "unrelated"}, "is about something else and has an answer"),
        (
            {"category": "unrelated", "expect": None, "missing": "It."},
            "is about something else and has an answer",
        ),
        ({"expect": ["nothing"]}, "no page is called nothing"),
        ({"part": "new"}, "holds no labelled log (Invalid enum value 'new'"),
        ({"likes": 1}, "holds no labelled log (Object contains unknown field `likes`"),
        ({"torch": None}, "holds no labelled log (Object missing required field `torch`"),
    ],
)
def test_a_wrong_label_of_a_log(judged, labels, said):
    """Each is named with its line."""
    judged.logs(log(FRAME, "frame_skipped", **labels))
    found = judged.problems("user_logs")
    assert any(it.startswith("user_logs.jsonl:1: ") and said in it for it in found), found


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"date": "yesterday"}, "`date`: yesterday is not a date"),
        ({"part": "tuning"}, "holds no labelled log"),
        ({"families": [["guard", "none"]]}, "guard none is not a family; correct `families`"),
        ({"expect": ["nothing"]}, "no page is called nothing"),
        ({"log": "/home/ann/x.py"}, "names the home of ann"),
        ({"source": "notes"}, "`source` is neither an issue"),
    ],
)
def test_a_wrong_label_of_a_fresh_log(judged, labels, said):
    """They have a date and families."""
    judged.logs(fresh_log(FRAME) | labels, file="fresh_logs.jsonl")
    (found,) = judged.problems("fresh_logs")
    assert found.startswith("fresh_logs.jsonl:1: ") and said in found


def test_lines_have_one_form_and_order(judged):
    """So that a change of one log is a change of one line."""
    logs = (log(FRAME, "frame_skipped", source=f"a/{it}#1") for it in "cbd")
    first, second, third = map(json.dumps, logs)
    text = "\n".join([first, second, third.replace(", ", ","), "{", ""])
    (judged.folder / "user_logs.jsonl").write_text(text)
    found = judged.problems("user_logs")
    assert [it.partition(";")[0] for it in found] == [
        "user_logs.jsonl:2: belongs above the line before it",
        "user_logs.jsonl:3: is not written as the others are",
        "user_logs.jsonl:4: holds no labelled log (Input data was truncated)",
    ]


def test_about_a_third_is_put_aside():
    """By a hash of the name, whoever writes it."""
    aside = sum(put_aside(f"a/b#{number}") for number in range(300))
    assert 80 < aside < 120
