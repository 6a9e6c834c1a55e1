"""One case: its page and its proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from validators.catalog.example import Example, example_of
from validators.catalog.frontmatter import FrontMatter

PLACEHOLDER = "REWRITE:"
"""Begins text that `new` writes for the author to replace; `check` refuses a case that has it."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TITLE = re.compile(r"\n*# +([^#\s][^#\n]*)$", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})\s(.*)")
SECTIONS = ("Symptom", "Why", "Remedy", "How to tell")


@dataclass(frozen=True)
class Case:
    """One claim with its proof; the file name is the id."""

    name: str
    area: str
    page: Path
    proof: Path
    meta: FrontMatter
    body: str
    body_line: int

    @property
    def retired(self) -> str:
        """Why the case is no longer run: "withdrawn: ..." or "superseded by NAME", or ""."""
        if self.meta.withdrawn:
            return f"withdrawn: {self.meta.withdrawn}"
        return f"superseded by {self.meta.superseded_by}" if self.meta.superseded_by else ""

    @cached_property
    def title(self) -> str:
        """The page's H1, or the case's name if it has none."""
        return first_heading(self.body) or self.name

    @property
    def title_line(self) -> int:
        """The line of the page's H1; that at which the body begins if it has none."""
        lines = (line for line, level, _ in headings(self.body) if level == 1)
        return self.body_line + next(lines, 0)

    @property
    def summary(self) -> str:
        """What happens, in one sentence for lists; the claim until a summary is written."""
        return " ".join((self.meta.summary or self.meta.claim).split())

    @property
    def fix(self) -> str:
        """What to do about it, as one instruction, and up to where that helps.

        It is "" until one is written.
        """
        fix = " ".join(self.meta.fix.split())
        if not fix or not self.meta.limits:
            return fix
        return f"{'; '.join([fix.rstrip('.'), *dict.fromkeys(self.meta.limits.values())])}."

    @cached_property
    def example(self) -> Example | None:
        """The page's example; None if it is missing or incomplete."""
        return example_of(self.body)

    @cached_property
    def sections(self) -> dict[str, str]:
        """The Markdown under each H2 of the page, by the heading's text."""
        lines = self.body.split("\n")
        starts = [(line, text) for line, level, text in headings(self.body) if level == 2]
        return {
            text: "\n".join(lines[start + 1 : end]).strip()
            for (start, text), (end, _) in pairwise([*starts, (len(lines), "")])
        }


def first_heading(markdown: str) -> str:
    """The text of the first H1; "" if there is none."""
    if found := _TITLE.match(markdown):  # most pages begin so
        return found[1].rstrip()
    return next((text for _, level, text in headings(markdown) if level == 1), "")


def headings(markdown: str) -> Iterator[tuple[int, int, str]]:
    """The ATX headings outside code fences, as (line index, level, text)."""
    fence = ""
    for index, line in enumerate(markdown.split("\n")):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        found = None if mark or fence else _HEADING.match(line)
        if found and (text := _without_closing_marks(found[2].strip())):
            yield index, len(found[1]), text


def _without_closing_marks(heading: str) -> str:
    """The text of a heading such as `Heading ##`; a `#` that ends a word stays."""
    text = heading.rstrip("#")
    return heading if text[-1:].strip() else text.rstrip()
