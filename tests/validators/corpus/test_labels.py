"""Labels of findings, and how many explanations agree with them."""

from __future__ import annotations

import pytest

from validators.corpus.labels import Label, load_labels, scores
from validators.corpus.summary import Judged
from validators.diagnose.findings.finding import Explanation, Finding, Place
from validators.errors import CasebookError


def judged(case, known="explained", line=3):
    """A finding of a model with what explains it."""
    finding = Finding(
        kind="graph_break",
        what="",
        cost="",
        explanation=Explanation(known, case=case),
        count=1,
        place=Place("site-packages/net/model.py", line),
        text="",
    )
    return "net", Judged(finding, known, case)


def label(case, line=3):
    """What somebody says of it."""
    return Label("net", "graph_break", f"net/model.py:{line}", case, "read")


def test_cases_that_agree_are_counted():
    """By level; of several at a place the right one counts, and what nobody labelled does not."""
    found = [judged("one"), judged("two"), judged("three", line=4), judged("four", "suspected", 5)]
    labels = [label("two"), label("", 4), label("four", 5), label("one", 9)]
    assert scores(labels, found) == {"explained": (1, 2), "suspected": (1, 1)}


def test_labels_are_read(tmp_path):
    """A line with a defect is told; a repository may have none."""
    assert load_labels(tmp_path) == []
    file = tmp_path / "reference_models/real/labels.jsonl"
    file.parent.mkdir(parents=True)
    line = '{"model":"net","kind":"graph_break","place":"net/model.py:3","case":"","why":"read"}\n'
    file.write_text(line, encoding="utf-8")
    assert load_labels(tmp_path) == [label("")]
    file.write_text(f"{line}{{}}\n", encoding="utf-8")
    with pytest.raises(CasebookError, match=r"labels\.jsonl:2: is not a label"):
        load_labels(tmp_path)
