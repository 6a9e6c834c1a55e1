"""Each thing that the compiler can say has a page of ours, or a reason why it has none."""

from __future__ import annotations

import pytest

from validators.families import Family, vocabulary_of
from validators.families.torch_source.found import Found


def test_a_family_without_a_page_and_a_reason_is_found(judged):
    """Also where another kind has a page or a reason under another key."""
    judged.record("exception", Found(key="CantSplit", format="CantSplit"))
    judged.record("guard", Found(key="tensor-size", format="size mismatch at index {i}"))
    folder = judged.playbooks / "illustrations"
    folder.mkdir()
    (folder / "unreachable.yaml").write_text("tensor-size: No program prints it.\n")
    judged.record("cudagraph_skip", Found(key="mutated-inputs", format="mutated inputs"))
    judged.case("mutated", signatures=["skipping cudagraphs due to mutated inputs"])
    (found,) = judged.problems("json")
    assert found.startswith("exception.json:11: CantSplit: has no page and no reason; illustrate")


def test_few_graph_breaks_may_be_open(judged):
    """Each other one has a program that prints it, or a sentence that says why there is none."""
    breaks = [Found(key=f"GB000{n}", format=f"Type {n} of a break") for n in range(7)]
    judged.record("graph_break", *breaks[:6])
    assert judged.problems("json") == []
    judged.record("graph_break", *breaks)
    (found,) = judged.problems("json")
    assert found.startswith("graph_break.json:0: no page and no reason for GB0000, GB0001,")
    assert "GB0006, more than 6;" in found


def test_a_family_is_found_by_what_it_prints(judged, monkeypatch):
    """By a pattern that a browser can read, too."""
    judged.record("warning", Found(key="slow", format="The kernel {x} is slow, very slow"))
    assert judged.problems("json") == []
    monkeypatch.setattr(Family, "patterns", ["(?<=x)he kernel"])
    assert [it.partition(";")[0] for it in judged.problems("json")] == [
        "warning.json:11: slow: the pattern `(?<=x)he kernel`: `(?` means something else in"
        " JavaScript",
        "warning.json:11: slow: is not found by what it prints",
    ]


def test_a_family_without_a_pattern_is_found(judged, monkeypatch):
    """No line could name it."""
    judged.record("warning", Found(key="slow", format="The kernel {x} is slow, very slow"))
    assert len(vocabulary_of(judged.repository).families) == 1
    monkeypatch.setattr(Family, "patterns", [])
    (first, _) = judged.problems("json")
    assert first.startswith("warning.json:11: slow: has no pattern; correct how")


def test_the_files_stay_small(judged, monkeypatch):
    """All releases together."""
    judged.record("warning", Found(key="slow", format="The kernel {x} is slow, very slow"))
    monkeypatch.setattr("validators.checks.judged.family_pages._MOST_BYTES", 100)
    (found,) = judged.problems("families")
    assert found.startswith("families:0: the files have ")


@pytest.mark.parametrize("kind", ["cudagraph_skip", "guard", "exception"])
def test_each_kind_is_covered(judged, kind):
    """A new release that says more makes this list longer."""
    judged.record(kind, Found(key="OutOfIt", format="it is out of it all the time"))
    (found,) = judged.problems("json")
    assert found.startswith(f"{kind}.json:11: OutOfIt: has no page and no reason")
