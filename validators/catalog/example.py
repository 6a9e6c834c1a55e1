"""A page's example: the same small program before and after the fix, as users write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Side = Literal["before", "after"]
SIDES: tuple[Side, ...] = ("before", "after")
MOST_LINES = 15
_BLOCK = re.compile(
    r'^```python title="(?P<side>before|after)"\n(?P<code>.*?)^```$', re.DOTALL | re.MULTILINE
)
_SECTION = re.compile(r"^## Example\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """One side of an example: its source, and the index of its first line in the text."""

    side: Side
    code: str
    line: int


@dataclass(frozen=True)
class Example:
    """Both sides of a page's example."""

    before: Program
    after: Program

    def of(self, side: Side) -> Program:
        """The program of one side."""
        return self.before if side == "before" else self.after

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """Both programs as one: each line, with "-" if the fix takes it away, "+" if it adds it."""
        before, after = (it.code.rstrip("\n").split("\n") for it in (self.before, self.after))
        for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if kind == "equal":
                yield from ((" ", line) for line in before[i:j])
            else:
                yield from (("-", line) for line in before[i:j])
                yield from (("+", line) for line in after[k:m])


def programs(markdown: str) -> list[Program]:
    """The fenced blocks of a page that are titled "before" or "after", in order."""
    return [
        Program(match["side"], match["code"], markdown.count("\n", 0, match.start("code")))  # type: ignore[arg-type]
        for match in _BLOCK.finditer(markdown)
    ]


def without_example(markdown: str) -> str:
    """The page with its section `Example` blanked, so that line numbers stay the same."""
    return _SECTION.sub(lambda match: "\n" * match[0].count("\n"), markdown, count=1)


def example_of(markdown: str) -> Example | None:
    """The example of a page; None if it is missing or incomplete."""
    found = programs(markdown)
    if [program.side for program in found] != list(SIDES):
        return None
    return Example(*found)
