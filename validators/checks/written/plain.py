"""Checks of how prose is written: sentences that a reader takes in at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt

from validators.catalog.prose import Prose
from validators.errors import Problem

MOST_WORDS = 25
"""Nine in ten sentences of a page have at most this many."""

PHRASES = {
    r"(?<!here )\b(?:is|are|was|were) (?:no(?! (?:longer|more|fewer|less)\b)|nothing)\b": (
        "say what it is"
    ),
    r"\b(?:of|from|in|by|to|with|for) which (?:is|are|was|were|none|one|all|two)\b|, of which\b": (
        "split the sentence"
    ),
    r"\b(?:anew|thereby|therein|thereof|hereby|whereof|wherein|in vain)\b": "use the usual word",
    r"\bmend(?:s|ed|ing)?\b": "the word is *fix*",
    r"(?i:not part of the proof)": "mark the sentence with † and say so once, in the last line",
    r"^In the default configuration\b": "leave it out; every reader assumes it",
    r"^What (?:is|are|was|were)\b[^?]*$": "begin with who acts",
}
"""Turns of phrase that make a reader stop, and what to do instead."""

MARK = "†"
"""Ends a sentence about something that was seen but that no program decides."""

_PATTERNS = [(re.compile(pattern), advice) for pattern, advice in PHRASES.items()]
_END = re.compile(r"(?<=[.!?†])[\"')*]*\s+(?=[A-Z`*\"(\[])")


def check_plain(prose: Prose) -> Iterator[Problem]:
    """Phrases that hide who does what, too many long sentences, marks that nothing explains."""
    count, long = 0, []
    for line, sentence in sentences(prose.text):
        at = prose.first + line - 1
        count += 1
        if len(sentence.split()) > MOST_WORDS:
            long.append((at, sentence))
        for pattern, advice in _PATTERNS:
            if found := pattern.search(sentence):
                yield Problem(prose.path, at, f"writes {found[0]!r}; {advice}")
    for at, sentence in long[max(1, count // 10) :]:
        start = " ".join(sentence.split()[:6])
        message = f"has {len(long)} sentences of over {MOST_WORDS} words; split {start!r}..."
        yield Problem(prose.path, at, message)
    yield from _marks(prose)


def _marks(prose: Prose) -> Iterator[Problem]:
    notes = [line for line in prose.text.split("\n") if line.startswith(f"{MARK} ")]
    marks = prose.text.count(MARK) - len(notes)
    if bool(marks) != bool(notes) or len(notes) > 1:
        message = (
            f"has {marks} marks {MARK} and {len(notes)} lines that begin with it; "
            "explain the marks in one such line"
        )
        yield Problem(prose.path, prose.first, message)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The line and text of each sentence outside headings; code is one word."""
    tokens = MarkdownIt("commonmark").enable("table").disable("html_block").parse(text)
    for before, token in pairwise(tokens):
        if token.type != "inline" or token.map is None or before.type == "heading_open":
            continue
        words = []
        for child in token.children or []:
            if child.type == "code_inline":
                words.append(f"`{'_'.join(child.content.split())}`")
            elif child.type in ("softbreak", "hardbreak"):
                words.append(" ")
            elif child.type == "text":
                words.append(child.content)
        for sentence in _END.split("".join(words)):
            if sentence.strip():
                yield token.map[0] + 1, sentence.strip()
