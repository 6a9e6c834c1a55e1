"""Vague words lead to areas and guides with steps."""

from __future__ import annotations

import pytest

STEPS = [f"Look, {number}: `case:frame_skipped`" for number in range(3)]
TOPIC = {"summary": "How it breaks.", "asked": ["zebra yak", "a b", "c d", "e f"], "tell": STEPS}


@pytest.fixture
def topics(judged):
    """A casebook with a phrase, and a function that writes the topic of its area."""

    def write(**fields):
        topic = {"areas": {"graph_breaks": TOPIC | fields}}
        judged.write("../topics.yaml", topic)

    judged.write(
        "topic_phrases.yaml",
        {"beginnings": ["torch.compile: "], "phrases": {"zebra yak": "area:graph_breaks"}},
    )
    judged.write_topics = write
    write()
    return judged


def test_a_phrase_leads_to_steps(topics):
    """Alone, and behind other words."""
    assert topics.problems("topic") == []


def test_a_phrase_that_leads_nowhere_is_found(topics):
    """Or to a page with few steps; each is tried behind each beginning."""
    topics.write_topics(tell=STEPS[:2])
    found = topics.problems("topic_phrases")
    said = "leads to area:graph_breaks, not to area:graph_breaks with 3 steps; add phrases or steps"
    assert [it.partition(" in ")[0] for it in found] == [
        f"topic_phrases.yaml:4: 'zebra yak' {said}",
        f"topic_phrases.yaml:4: 'torch.compile: zebra yak' {said}",
    ]
    topics.write_topics(asked=["w x", "a b", "c d", "e f"])
    assert "not to area:graph_breaks with 3 steps" in topics.problems("topic_phrases")[0]


@pytest.mark.parametrize("fields", [{"summary": ""}, {"asked": ["zebra yak", "a b", "c d"]}])
def test_each_area_has_a_summary_and_phrases(topics, fields):
    """Else vague words would not lead there."""
    topics.write_topics(**fields)
    said = "graph_breaks needs a summary and 4 phrases under `asked`; add them"
    assert topics.problems("topics") == [f"topics.yaml:2: {said}"]
