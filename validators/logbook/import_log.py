"""Split a log in one Markdown file into files of the experiment log, without losing text.

An entry begins with `## YYYY-MM-DD — Type: Title`. Lines such as `**Type**: …` and
`**General description**: …` before its first section fill its front matter.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

from validators.catalog.logs import TYPES
from validators.catalog.page import control_character
from validators.errors import CasebookError, Problem
from validators.logbook.entries import slug_of

FORM = "## YYYY-MM-DD — Type: Title"
# U+2013 and U+2014 are dashes, too.
_DATED = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[: ][: \u2013\u2014-]*(.*))?")
_TYPED = re.compile(rf"({'|'.join(TYPES)})(?:$|: *| *[\u2013\u2014]+ *| -+ )(.*)", re.I)
_TYPE = re.compile(rf"^\*\*Type(?:\*\*:|:\*\*) *({'|'.join(TYPES)}) *$\n?", re.I | re.M)
# A list, a quote, a table, code or another field ends the paragraph.
_SUMMARY = re.compile(
    r"^\*\*General description(?:\*\*:|:\*\*) *(\S.*(?:\n(?! *(?:$|[-*>|`~]|[0-9]+[.)])).+)*)\n?",
    re.I | re.M,
)


@dataclass(frozen=True)
class Part:
    """The lines from one heading of level 1 or 2 to the next, from line `first` of the log.

    `heading` is the text of a heading of level 2, else "".
    """

    first: int
    heading: str
    lines: list[str]


def split_log(log: Path) -> tuple[dict[str, str], list[str]]:
    """Split a log into pages, by the name of the entry, and the numbered lines in no entry.

    Raises:
        CasebookError: the log is not UTF-8, holds a control character, or holds no entry.
        OSError: the log cannot be read.
    """
    pages: dict[str, str] = {}
    unplaced: list[str] = []
    for part in _parts(_lines(log)):
        if entry := _entry(part):
            base, page = entry
            name, number = base, 1
            while name in pages:
                number += 1
                name = f"{base}-{number}"
            pages[name] = page
        else:
            numbered = enumerate(part.lines, part.first)
            unplaced += [f"{number}: {line}" for number, line in numbered if line.strip()]
    if not pages:
        raise CasebookError(f"{log}: holds no entry; begin one with `{FORM}`")
    return pages, unplaced


def _lines(log: Path) -> list[str]:
    try:
        text = log.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CasebookError(f"{log}: is not UTF-8; save the log as UTF-8") from None
    if found := control_character(text):
        message = f"holds the control character {found[1]}; remove it"
        raise CasebookError(str(Problem(log, found[0], message)))
    return text.split("\n")


def _parts(lines: list[str]) -> Iterator[Part]:
    """Cut at headings of level 1 and 2, outside code and quotes, and move sections one level up."""
    starts = [(0, "")]
    # Only blocks matter here, so inline marks need not be parsed.
    tokens = MarkdownIt("commonmark").disable("inline").parse("\n".join(lines))
    for token, inline in pairwise(tokens):
        if token.level or token.type != "heading_open" or token.markup[0] != "#" or not token.map:
            continue
        at = token.map[0]
        if len(token.markup) < 3:
            starts.append((at, inline.content if token.tag == "h2" else ""))
        else:
            lines[at] = lines[at].replace("#", "", 1)
    for (at, heading), (end, _) in pairwise([*starts, (len(lines), "")]):
        yield Part(at + 1, heading, lines[at:end])


def _entry(part: Part) -> tuple[str, str] | None:
    """Return an entry's name and page; None if the heading has no date."""
    found = _DATED.fullmatch(" ".join(part.heading.split()))
    try:
        date = datetime.date.fromisoformat(found[1] if found else "")
    except ValueError:
        return None
    title = (found and found[2]) or str(date)
    kind, text = _field(_TYPE, "\n".join(part.lines[1:]))
    summary, text = _field(_SUMMARY, text)
    typed = _TYPED.fullmatch(title)
    kind = (kind or (typed[1] if typed else "observation")).lower()
    if typed and typed[1].lower() == kind:
        title = typed[2] or title
    fields = {"date": date, "type": kind, "summary": " ".join(summary.split()) or title}
    front = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=98)
    body = text.strip("\n")
    page = f"---\n{front}---\n\n# {title}\n" + (f"\n{body}\n" if body else "")
    return f"{date}-{slug_of(title) or kind}", page


def _field(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return the value of a field before the first section, or "", and the text without it."""
    found = pattern.search(text, 0, f"\n{text}\n## ".index("\n## "))
    return (found[1], text[: found.start()] + text[found.end() :]) if found else ("", text)
