"""Entries of the experiment log, made of blocks of a log in one file."""

from __future__ import annotations

import datetime
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from docsite.import_log.blocks import Block, Line, shifted
from validators.catalog.case import PLACEHOLDER
from validators.catalog.citations import citations
from validators.catalog.logs import TYPES
from validators.catalog.page import MAX_FRONT_MATTER, MAX_PAGE_BYTES
from validators.errors import Problem
from validators.evidence.figures import MARK

_FIELD = re.compile(
    r" {0,3}(?:[-*+] )?\*\*(type|general description)(?:\*\* ?:|:\*\*)(.*)", re.IGNORECASE
)
# What ends a paragraph, or is a field of its own.
_BLOCK = re.compile(r"$|[-*+] |[0-9]+[.)] |[>|]|<!--|\*\*[^*]+(?:\*\* ?:|:\*\*)|[-=*_ ]+$")
_TYPE_ENDS = re.compile(r": |:$| ?[\u2013\u2014]+ ?| -+ ")
# An image is no link here: pages show the text that describes it.
_LINK = re.compile(r"(?:(?<!!)\[[^\[\]]*\]\(|^ {0,3}\[[^\]^][^\]]*\]: *)<?([^\s()<>]+)")
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|#")
_CODE = re.compile("`[^`]*`")


@dataclass(frozen=True)
class Entry:
    """One entry as its file will hold it; `line` is that of its heading in the log."""

    line: int
    date: datetime.date
    type: str
    summary: str
    title: str
    text: str

    @property
    def front(self) -> str:
        """The fields of the front matter."""
        # A folded scalar takes any text as it is.
        words = textwrap.wrap(self.summary, 98, break_long_words=False, break_on_hyphens=False)
        folded = "\n".join(f"  {line}" for line in words)
        return f"date: {self.date}\ntype: {self.type}\nsummary: >-\n{folded}\n"

    @property
    def page(self) -> str:
        """The whole file."""
        body = f"\n{self.text}\n" if self.text else ""
        return f"---\n{self.front}---\n\n# {self.title}\n{body}"

    @property
    def misfit(self) -> str:
        """Why no page can hold the entry, or ""."""
        if len(self.front) > MAX_FRONT_MATTER:
            return "has a heading too long for a page; shorten it"
        if len(self.page.encode()) > MAX_PAGE_BYTES:
            return f"is longer than a page may be ({MAX_PAGE_BYTES // 1024} KiB); split the entry"
        return ""


def read_entry(path: Path, block: Block, date: datetime.date) -> tuple[Entry, list[Problem]]:
    """The entry that a block is, and what of it had to be decided."""
    line = block.lines[0].number
    head = list(takewhile(lambda it: it.role == "text", block.lines[1:]))
    kind, title, taken, said = _type(block, head)
    summary, summary_lines = _paragraph(head)
    if not summary:
        said.append("has no `**General description**: …` that fits; the title is its summary")
    taken |= summary_lines
    kept = (it for it in block.lines[1:] if it.number not in taken)
    text = "\n".join(shifted(it.text) if it.role == "section" else it.text for it in kept)
    title = title or str(date)
    entry = Entry(line, date, kind, summary or title, title, _without_blank_ends(text))
    return entry, [Problem(path, line, message) for message in said]


def _type(block: Block, head: list[Line]) -> tuple[str, str, set[int], list[str]]:
    """The type, the title, the lines that said so, and what had to be decided.

    What the heading calls the entry stays in the title, unless it is the type.
    """
    word, title = _split(block.words)
    called = word.lower()
    at, named = next(_fields(head, "type"), (0, ""))
    if named.lower() in TYPES:
        said = f"is headed {word!r} but its `**Type**` is {named!r}, which holds; mend one"
        differs = called in TYPES and called != named.lower()
        kind, taken, sayings = named.lower(), {head[at].number}, [said] if differs else []
    else:
        kind, taken = called if called in TYPES else "observation", set()
        sayings = [_undecided(named, word, kind)] if named or called not in TYPES else []
    return kind, title if called == kind and title else block.words, taken, sayings


def _undecided(named: str, word: str, kind: str) -> str:
    said = [f"{word[:40]!r} in its heading"] if word else []
    said += [f"`**Type**: {named[:40]}`"] if named else ["no `**Type**`"]
    return f"is taken for {kind}: it has {' and '.join(said)}; write one of {', '.join(TYPES)}"


def _split(words: str) -> tuple[str, str]:
    """What a heading calls the entry, or "", and the rest."""
    if words.lower() in TYPES:
        return words, ""
    found = _TYPE_ENDS.search(words)
    return (words[: found.start()], words[found.end() :]) if found else ("", words)


def _fields(head: list[Line], name: str) -> Iterator[tuple[int, str]]:
    """Where the field stands among the lines, and its value."""
    for index, line in enumerate(head):
        found = _FIELD.match(line.text)
        if found and found[1].lower() == name:
            yield index, " ".join(found[2].split())


def _paragraph(head: list[Line]) -> tuple[str, set[int]]:
    """The general description, which may go on over several lines, and their numbers."""
    for index, value in _fields(head, "general description"):
        more = list(takewhile(lambda it: not _BLOCK.match(it.text.strip()), head[index + 1 :]))
        words = " ".join([value, *(" ".join(it.text.split()) for it in more)]).strip()
        if value and len(words) < MAX_FRONT_MATTER * 3 // 4:
            return words, {it.number for it in (head[index], *more)}
        return "", set()
    return "", set()


def _without_blank_ends(text: str) -> str:
    lines = text.split("\n")
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""


def doubts(path: Path, block: Block) -> Iterator[Problem]:
    """What `check` or the site's build may ask about the lines of an entry."""
    for line in block.lines:
        text = line.text
        for _, name in citations(text):
            message = f"cites `case:{name}`; `check` asks for that case, or reword this"
            yield Problem(path, line.number, message)
        if MARK.search(text):
            message = "has the mark of a figure; `check` holds it to the evidence, or reword this"
            yield Problem(path, line.number, message)
        if PLACEHOLDER in text:
            message = f"holds `{PLACEHOLDER}`, which `check` takes for text to be written; reword"
            yield Problem(path, line.number, message)
        links = _LINK.findall(_CODE.sub("``", text)) if line.role == "text" else []
        for target in (it for it in links if not _ELSEWHERE.match(it)):
            message = f"links to {target[:80]}; the site asks for that file, or unlink this"
            yield Problem(path, line.number, message)
