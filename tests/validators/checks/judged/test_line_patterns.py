"""Patterns that the filter in front of them loses are found."""

from __future__ import annotations

import pytest

from validators.families import FamilyLines
from validators.families.torch_source.found import Found
from validators.match.line_filter import LineFilter

from .conftest import FRAME, log

BREAK = Found(key="GB0156", format="Unsupported method call")


@pytest.mark.parametrize("matching", [[], [0, 1]])
def test_a_signature_that_the_filter_misjudges_is_found(judged, monkeypatch, matching):
    """At a log with the line; whether it fits and is lost, or is found and does not fit."""
    judged.logs(log(f"x\n{FRAME}", "frame_skipped"))
    judged.judge(fix=True)
    assert judged.problems("user_logs") == []
    monkeypatch.setattr(LineFilter, "matching", lambda *_: matching)
    pattern = r"torch: line \d+ is slow" if matching else "the frame was skipped"
    said = f"user_logs.jsonl:1: a/b#1: the pattern `{pattern}` and its literal "
    assert any(
        it.startswith(said) and f"disagree on the line {FRAME!r}" in it
        for it in judged.problems("user_logs")
    )


def test_a_family_that_the_filter_loses_is_found(judged, monkeypatch):
    """In what an example printed."""
    judged.record("graph_break", BREAK)
    judged.case("frame_skipped", graph_break={"id": "GB0156", "type": "Unsupported method call"})
    judged.example("frame_skipped", "Graph Break Reason: Unsupported method call")
    assert judged.problems("graph_break") == []
    monkeypatch.setattr(FamilyLines, "of", lambda *_: [])
    assert "graph_break.json:11: GB0156: is not read as it should be from" in "\n".join(
        judged.problems("graph_break")
    )


def test_how_much_was_tried_is_counted(judged):
    """A check that tried nothing finds nothing wrong."""
    judged.logs(log(FRAME, "frame_skipped"))
    judged.example("frame_skipped", f"{FRAME}\nand another line")
    judged.write("least.yaml", {"patterns in lines of logs": 2, "lines of examples": 3})
    assert [it.partition(",")[0] for it in judged.problems("least")] == [
        "least.yaml:1: there are only 1 patterns in lines of logs",
        "least.yaml:2: there are only 2 lines of examples",
    ]
    judged.write("least.yaml", {"cases whose examples print": 2})
    (found,) = judged.problems("least")
    assert found.startswith("least.yaml:1: there are only 1 cases whose examples print")
