"""What explains the findings of records, and what stays open."""

from __future__ import annotations

import pytest

from tests.corpus import FILE, SETTLED, graph_break
from validators.corpus.summary import row_of, still_open


def levels(corpus, record):
    """How far each finding is explained, and by which case."""
    return [(it.level, it.case) for it in corpus.judge().findings(record)]


def test_a_signature_explains(corpus):
    """If the case is confirmed; otherwise it is suspected."""
    corpus.case("branch", signatures=["a strange thing"])
    corpus.case("other", confirmed=False, signatures=["quite another"])
    record = corpus.record(graph_break(), graph_break("quite another", id="GB1", type="B"))
    assert levels(corpus, record) == [("explained", "branch"), ("suspected", "other")]


def test_what_nobody_knows(corpus):
    """Is unknown, until somebody settles it with a confirmed case."""
    corpus.case("branch")
    record = corpus.record(graph_break("words that fit nothing"))
    assert levels(corpus, record) == [("unknown", "")]
    corpus.write("shop.yaml", SETTLED)
    assert levels(corpus, record) == [("settled", "branch")]


def test_a_settlement_needs_evidence(corpus):
    """No program confirmed the case in this column."""
    corpus.case("branch", confirmed=False)
    corpus.write("shop.yaml", SETTLED)
    assert levels(corpus, corpus.record(graph_break("words"))) == [("unknown", "")]


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("file: shop/model.py", "file: shop/another.py"),
        ("file: shop/model.py", 'file: ""'),
        ("code: if x.sum()", "code: if y.sum()"),
        ("kind: graph_break", "kind: recompile"),
        ("kind: graph_break", "kind: graph_break\n    says: other words"),
    ],
)
def test_a_settlement_is_about_one_line(corpus, written, other):
    """Each of its fields leaves out what differs."""
    corpus.case("branch")
    corpus.write("shop.yaml", SETTLED.replace(written, other))
    assert levels(corpus, corpus.record(graph_break("words"))) == [("unknown", "")]


def test_what_follows_from_a_break_is_settled_with_it(corpus):
    """A recompile of the code that resumes after the break needs no settlement of its own."""
    corpus.case("branch")
    told = {"function": "torch_dynamo_resume_in_forward_at_7", "file": FILE, "line": 7}
    again = {**told, "guard": "x == 2", "text": "x == 2", "count": 1, "code": ""}
    record = corpus.record(breaks={"breaks": [graph_break("words")], "recompiles": [again]})
    assert levels(corpus, record) == [("unknown", ""), ("unknown", "")]
    corpus.write("shop.yaml", SETTLED)
    assert levels(corpus, record) == [("settled", "branch"), ("settled", "branch")]
    assert levels(corpus, corpus.record(breaks={"recompiles": [again]})) == [("unknown", "")]


def test_the_row_counts(corpus):
    """What the compiler did, and the findings by level."""
    corpus.case("branch", signatures=["a strange thing"])
    record = corpus.record(graph_break(), graph_break("words", type="B", count=2))
    row = row_of(record, corpus.judge().findings(record))
    assert (row.graphs, row.breaks, row.findings) == (2, 5, 2)
    assert (row.explained, row.settled, row.unknown, row.fix) == (1, 0, 1, "")


def test_open_findings_are_grouped(corpus):
    """By place and reason; that of most models comes first."""
    record = corpus.record(graph_break("words"), graph_break("others", type="B"))
    a, b = corpus.judge().findings(record)
    first, second = still_open([("one", a), ("one", b), ("two", b)])
    assert (first.says, first.models, first.count) == ("GB0170 B", ["one", "two"], 6)
    assert (second.says, second.models, second.count) == ("GB0170 A type", ["one"], 3)


def test_a_catalog_may_lack_the_case_of_a_size(corpus):
    """A recompile for another size is then unknown."""
    guard = "tensor 'x' size mismatch at index 0. expected 2, actual 3"
    told = {"function": "f", "file": "a.py", "line": 3, "guard": guard, "count": 1, "text": guard}
    assert levels(corpus, corpus.record(breaks={"recompiles": [told]})) == [("unknown", "")]
