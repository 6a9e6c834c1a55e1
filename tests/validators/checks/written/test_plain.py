"""Prose is written in short, plain sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from validators.catalog.prose import Prose
from validators.checks.written.plain import MOST_WORDS, check_plain, sentences

LONG = " ".join(["word"] * (MOST_WORDS + 1)) + "."


def told(text: str) -> list[str]:
    """What the lint says of a page."""
    return [problem.message for problem in check_plain(Prose(Path("page.md"), 1, text))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A list is no graph input.", "writes 'is no'; say what it is"),
        ("The guard is nothing\nthat fails.", "writes 'is nothing'"),
        ("It compiles two graphs, of which one is dynamic.", "writes ', of which'"),
        ("The list is made anew.", "writes 'anew'"),
        ("What is refused runs eagerly.", "writes 'What is refused runs eagerly.'"),
        ("One graph (seen, not part of the proof).", "mark the sentence with"),
        ("It is no longer needed. What is a guard? There are no breaks.", ""),
        ("# What is left\n\n```\nis no code\n```\n\n`is no code` either.", ""),
    ],
)
def test_phrases_that_stop_a_reader(text, message):
    """Each is named with what to do; code, headings and questions are left alone."""
    found = told(text)
    assert [message in it for it in found] == [True] * bool(message)


def test_one_sentence_of_ten_may_be_long():
    """And one of a short page."""
    assert told(LONG) == []
    assert len(told(f"{LONG} {LONG}".replace("word.", "word.\n\nWord"))) == 1
    short = "A word. " * 18
    assert told(f"{short}{LONG.capitalize()} {LONG.capitalize()}") == []
    (message,) = told(f"{short}{' '.join([LONG.capitalize()] * 3)}")
    assert message.startswith(f"has 3 sentences of over {MOST_WORDS} words; split 'Word word")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Seen so.†\n\n† Seen on torch 2.13.0; no program decides it.", True),
        ("Nothing was seen.", True),
        ("Seen so.†", False),
        ("† Seen on torch 2.13.0.", False),
        ("Seen.†\n\n† Here.\n† There.", False),
    ],
)
def test_a_mark_is_explained_once(text, good):
    """By a line that begins with it."""
    assert (told(text) == []) == good


def test_sentences_have_their_lines():
    """Code counts as one word, and a figure's mark as none."""
    text = "# Title\n\nOne `a b c`. Two\n<!-- figure a b c -->3<!-- /figure --> times.†\nThree."
    assert list(sentences(text)) == [(3, "One `a_b_c`."), (3, "Two 3 times.†"), (3, "Three.")]
