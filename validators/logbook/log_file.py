"""Cutting a log in one Markdown file at its headings, into entries and text outside them.

An entry begins with `## YYYY-MM-DD — Type: Title`. Lines such as `**Type**: …` and
`**General description**: …` before its first section fill its front matter.
"""

from __future__ import annotations

import datetime
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from markdown_it import MarkdownIt

from validators.catalog.logs import TYPES
from validators.catalog.page import MAX_FRONT_MATTER, MAX_PAGE_BYTES

FORM = "## YYYY-MM-DD — Type: Title"
# U+2013 and U+2014 are dashes, too; one before a digit, as in a range of days, separates nothing.
_DATED = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?: ?[\u2013\u2014]+(?![\u2013\u20140-9]) ?| [\u2013\u2014-]+ |: | |:?$)"
    r"(.*)"
)
_MEANT = re.compile(r"[ \t>]*#{0,6}[ \t]*[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_TYPE_ENDS = re.compile(r": |:$| ?[\u2013\u2014]+ ?| -+ ")
_FIELD = re.compile(
    r" {0,3}(?:[-*+] )?\*\*(type|general description)(?:\*\* ?:|:\*\*)(.*)", re.IGNORECASE
)
# A line that ends a paragraph, or that is another field.
_PARAGRAPH_ENDS = re.compile(r"\s*(?:$|[-*+] |[0-9]+[.)] |[>|]|\*\*[^*]+(?:\*\* ?:|:\*\*))")
_LITERAL = {"fence", "code_block", "html_block"}


@dataclass
class Block:
    """The lines from one heading of level 1 or 2 to the next; `first` is their index in the log.

    `date` is None if the heading is not an entry's; `words` are what it says beside the date.
    The first `head` lines come before any section, code or comment.
    """

    first: int
    date: datetime.date | None = None
    words: str = ""
    lines: list[str] = field(default_factory=list)
    head: int = 0


@dataclass(frozen=True)
class Entry:
    """One entry as its file will hold it; `doubts` say what the import had to guess."""

    date: datetime.date
    type: str
    summary: str
    title: str
    text: str
    doubts: list[str]

    @property
    def front(self) -> str:
        """The fields of the front matter."""
        # A folded scalar holds any text without quoting.
        words = textwrap.wrap(self.summary, 98, break_long_words=False, break_on_hyphens=False)
        folded = "\n".join(f"  {line}" for line in words)
        return f"date: {self.date}\ntype: {self.type}\nsummary: >-\n{folded}\n"

    @property
    def page(self) -> str:
        """The whole file."""
        body = f"\n{self.text}\n" if self.text else ""
        return f"---\n{self.front}---\n\n# {self.title}\n{body}"

    @property
    def too_long(self) -> bool:
        """Whether no page can hold it."""
        return len(self.front) > MAX_FRONT_MATTER or len(self.page.encode()) > MAX_PAGE_BYTES


def read_blocks(lines: list[str]) -> tuple[list[Block], list[int]]:
    """The blocks in order, their sections one level up, and the indexes of missed headings.

    A missed heading is a line that looks like an entry's but is in code, a comment or a quote, or
    lacks its `##`.
    """
    lines, blocks, headings = [*lines], [Block(0)], set[int]()
    # Only blocks matter here, so inline marks need not be parsed.
    tokens = MarkdownIt("commonmark").disable("inline").parse("\n".join(lines))
    for token, following in pairwise([*tokens, *tokens[:1]]):
        if token.level or token.map is None:
            continue
        at, atx = token.map[0], token.type == "heading_open" and token.markup[0] == "#"
        if atx and len(token.markup) < 3:
            blocks.append(Block(at, *_dated(token.markup, following.content)))
            headings.add(at)
        elif atx or token.type in _LITERAL:
            blocks[-1].head = blocks[-1].head or at - blocks[-1].first
        if atx and len(token.markup) > 2:
            lines[at] = lines[at].replace("#", "", 1)
    for block, end in zip(blocks, [*(it.first for it in blocks[1:]), len(lines)], strict=True):
        block.lines = lines[block.first : end]
        block.head = block.head or len(block.lines)
    missed = [at for at, it in enumerate(lines) if at not in headings and _MEANT.match(it)]
    return blocks, missed


def _dated(markup: str, heading: str) -> tuple[datetime.date | None, str]:
    """The date of an entry's heading, and the words behind it."""
    found = _DATED.match(" ".join(heading.split())) if markup == "##" else None
    try:
        return (datetime.date.fromisoformat(found[1]), found[2]) if found else (None, "")
    except ValueError:
        return None, ""


def read_entry(block: Block, date: datetime.date) -> Entry:
    """Read a dated block as an entry."""
    kind, title, taken, doubts = _type(block)
    summary, more = _description(block)
    if not summary:
        doubts.append("has no `**General description**: …` that fits; the title is its summary")
    taken |= more
    kept = [it for at, it in enumerate(block.lines) if at and at not in taken]
    title = title or str(date)
    return Entry(date, kind, summary or title, title, _without_blank_ends(kept), doubts)


def _type(block: Block) -> tuple[str, str, set[int], list[str]]:
    """The type, the title, the indexes of the lines that named the type, and the doubts.

    A field takes precedence over the heading. The heading's first words stay in the title, unless
    they name the type.
    """
    ends = _TYPE_ENDS.search(block.words)
    called = (block.words[: ends.start()] if ends else block.words).lower()
    at, named = next(_fields(block, "type"), (0, ""))
    if named.lower() in TYPES:
        kind, taken, doubts = named.lower(), {at}, list[str]()
    elif called in TYPES:
        kind, taken, doubts = called, set(), []
    else:
        kind, taken = "observation", set()
        doubts = [f"is taken for an observation; write `**Type**:` and one of {', '.join(TYPES)}"]
    rest = block.words[ends.end() :] if ends else ""
    return kind, rest if called == kind and rest else block.words, taken, doubts


def _fields(block: Block, name: str) -> Iterator[tuple[int, str]]:
    """The index and the value of each line that has the field `name`."""
    for at, line in enumerate(block.lines[: block.head]):
        found = _FIELD.match(line)
        if found and found[1].lower() == name:
            yield at, " ".join(found[2].split())


def _description(block: Block) -> tuple[str, set[int]]:
    """The general description, which may span several lines, and their indexes."""
    for at, value in _fields(block, "general description"):
        following = block.lines[at + 1 : block.head]
        more = list(takewhile(lambda it: not _PARAGRAPH_ENDS.match(it), following))
        words = " ".join(" ".join([value, *more]).split())
        if value and len(words) < MAX_FRONT_MATTER * 3 // 4:
            return words, {*range(at, at + 1 + len(more))}
        return "", set()
    return "", set()


def _without_blank_ends(lines: list[str]) -> str:
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""
