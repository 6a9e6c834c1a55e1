"""Each thing that the compiler can say has a page of ours, or a reason why it has none."""

from __future__ import annotations

import pytest

from validators.families import Vocabulary, vocabulary_of
from validators.families.family import Kind
from validators.families.found import Found

MOST_OPEN = 6
"""Of the graph breaks; lower it when you add a page or a reason."""
COVERED: tuple[Kind, ...] = ("cudagraph_skip", "guard", "exception")


def without_page_or_reason(vocabulary: Vocabulary, kind: Kind) -> list[str]:
    """The families of a kind that have no cause among our pages, and no reason for that."""
    return [
        it.key
        for it in vocabulary.families
        if it.kind == kind and not vocabulary.causes_of(it) and it.key not in vocabulary.unreachable
    ]


@pytest.mark.parametrize("kind", COVERED)
def test_each_family_has_a_page_or_a_reason(recorded, kind):
    """A new release that says more makes this list longer: illustrate it, or say why not."""
    _, vocabulary = recorded
    assert without_page_or_reason(vocabulary, kind) == []


def test_few_graph_breaks_are_open(recorded):
    """Each other one has a program that prints it, or a sentence that says why there is none."""
    _, vocabulary = recorded
    found = without_page_or_reason(vocabulary, "graph_break")
    assert len(found) <= MOST_OPEN, f"no page or reason: {', '.join(found)}"


def test_a_family_without_both_is_named(world):
    """Also where another kind has a page or a reason under another key."""
    world.record("exception", Found(key="CantSplit", format="CantSplit"))
    world.record("guard", Found(key="tensor-size", format="size mismatch at index {i}"))
    folder = world.playbooks / "illustrations"
    folder.mkdir()
    (folder / "unreachable.yaml").write_text("tensor-size: No program prints it.\n")
    vocabulary = vocabulary_of(world.repository)
    assert without_page_or_reason(vocabulary, "exception") == ["CantSplit"]
    assert without_page_or_reason(vocabulary, "guard") == []
