"""What a SKILL.md says, in parts that stand alone: paragraphs, list items, rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from validators.catalog.citations import CITATION

PROCEDURE = ("Procedure", "References")
"""Headings over instructions, which state nothing and need no case."""
_SUBJECT = re.compile(
    r"\btorch\.\w|\bTORCH\w*_\w|\bfullgraph\b|\bgraph breaks?\b|\bbreaks? the graph\b|\brecompil"
    r"|\bguards?\b|\bspecializ|\bInductor\b|\bDynamo\b|\bAOT(?:Autograd|Inductor)\b|\bTriton\b"
    r"|\bCUDA graphs?\b",
    re.IGNORECASE,
)
"""What makes a statement one about torch: an API, a variable, or a word of the subject."""


@dataclass(frozen=True)
class Statement:
    """A paragraph, list item or row of a table, with the line where it begins, counted from 1."""

    line: int
    heading: str
    text: str
    is_row: bool = False

    @property
    def needs_case(self) -> bool:
        """Whether it says something about torch without naming the case that decides it."""
        of_torch = self.heading not in PROCEDURE and _SUBJECT.search(self.text)
        return bool(of_torch) and not CITATION.search(self.text)


def statements(markdown: str, first: int) -> Iterator[Statement]:
    """The statements of a text whose first line is `first`, in order; code blocks state nothing."""
    heading, row = "", list[str]()
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    for index, token in enumerate(tokens):
        if token.type == "inline" and tokens[index - 1].type == "heading_open":
            level = tokens[index - 1].tag
            heading = token.content if level == "h2" else "" if level == "h1" else heading
        elif token.type == "inline" and tokens[index - 1].type in ("td_open", "th_open"):
            row.append(token.content)
        elif token.type == "inline":
            yield Statement(_line(token, first), heading, token.content.replace("\n", " "))
        elif token.type == "tr_close" and row:
            text, row = " | ".join(row), []
            if tokens[index - 1].type == "td_close":
                yield Statement(_line(_opening(tokens, index), first), heading, text, is_row=True)


def _opening(tokens: list[Token], index: int) -> Token:
    return next(it for it in reversed(tokens[:index]) if it.type == "tr_open")


def _line(token: Token, first: int) -> int:
    return first + (token.map[0] if token.map else 0)
