"""Graph breaks that neither an example nor a reason explains."""

from __future__ import annotations

MOST_OPEN = 83
"""Lower it when you add a page or a reason."""


def test_few_graph_breaks_are_open(recorded):
    """Each other one has a program that prints it, or a sentence that says why there is none."""
    _, vocabulary = recorded
    keys = [it.key for it in vocabulary.families if it.kind == "graph_break"]
    explained = {key for kind, key in vocabulary.causes if kind == "graph_break"}
    explained |= set(vocabulary.unreachable)
    found = [key for key in keys if key not in explained]
    assert len(found) <= MOST_OPEN, f"no page or reason: {', '.join(found)}"
