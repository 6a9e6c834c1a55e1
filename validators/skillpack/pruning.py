"""A Markdown text without what it says of cases that do not hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from validators.catalog.citations import CITATION, citations

_SENTENCE = re.compile(r"(?<=[.;])\s+")
_PREFIX = re.compile(r"\s*(?:[-*] +|\d+\. +)?")
"""What stands before the text of a paragraph or of a list item."""
_GROUP = re.compile(r"\([^()]*`case:[^()]*\)|`case:\w+`")
"""Citations in brackets, which support the same words, or a single one."""
_LIST = re.compile(r"`case:\w+`(?:, `case:\w+`)*")


def pruned(text: str, holds: Callable[[str], bool]) -> str:
    """`text` without the items, rows and sentences that cite only cases for which `holds` is false.

    A sentence stays if each of its groups of citations has a case that holds; the others are left
    out of the groups, as they are of the rows of tables. `holds` takes the name of a case. Text
    without citations stays.
    """
    lines: list[str | None] = [*text.split("\n")]
    for token in _parts(text):
        first, end = token.map or (0, 0)
        source = "\n".join(text.split("\n")[first:end])
        if all(holds(name) for _, name in citations(source)):
            continue
        lines[first:end] = [None] * (end - first)
        kept = _row(source, holds) if token.type == "tr_open" else _prose(source, holds)
        lines[first] = kept or None
    return "\n".join(line for line in lines if line is not None)


def _parts(text: str) -> Iterator[Token]:
    """The paragraphs, those of list items among them, and the rows of tables."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type in ("paragraph_open", "tr_open"):
            yield token


def _row(source: str, holds: Callable[[str], bool]) -> str:
    """The row without citations of what does not hold; "" if none is left."""
    return _left(source, holds) if _holds_any(source, holds) else ""


def _prose(source: str, holds: Callable[[str], bool]) -> str:
    """The sentences of a paragraph that hold; "" if none with citations does.

    A step of a procedure keeps the sentences without citations.
    """
    prefix = _PREFIX.match(source)
    assert prefix
    sentences = _SENTENCE.split(" ".join(source[prefix.end() :].split()))
    kept = [_left(sentence, holds) for sentence in sentences if _stands(sentence, holds)]
    is_step = prefix[0].strip().endswith(".")
    if not kept or not (is_step or any(CITATION.search(sentence) for sentence in kept)):
        return ""
    text = " ".join(kept)
    return f"{prefix[0]}{text[0].upper()}{text[1:]}"


def _stands(sentence: str, holds: Callable[[str], bool]) -> bool:
    return all(_holds_any(group, holds) for group in _GROUP.findall(sentence))


def _holds_any(text: str, holds: Callable[[str], bool]) -> bool:
    return any(holds(name) for _, name in citations(text))


def _left(text: str, holds: Callable[[str], bool]) -> str:
    """The text with each list of citations cut to those that hold."""
    return _LIST.sub(
        lambda found: ", ".join(f"`case:{n}`" for _, n in citations(found[0]) if holds(n)), text
    )
