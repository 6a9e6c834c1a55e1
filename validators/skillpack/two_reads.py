"""From a line of a log to the fix, in two reads and few tokens, as an agent without Python does it.

It greps the references for words of the line, and reads the section with a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.catalog import Case
from validators.errors import Problem
from validators.evidence.stored.examples import SILENT
from validators.evidence.wording import lines_that_show
from validators.repository import Repository
from validators.skillpack.pack import Pack, Skill
from validators.skillpack.tokens import tokens

_LEAST, _LONG, _MOST = 6, 16, 40
"""The fewest characters of a phrase to search for, those of a good one, and the most."""
_AROUND = re.compile(
    r"^(?:\[[^\]]*\]\s*)*(?:- )?"
    r"(?:torch\.[\w.]*\w\.(?=[A-Z])|Graph Break Reason: |(?:last reason: )?\d+/\d+: )?"
    r"|\s# .*"
)
_VARIES = re.compile(r"'[^'\s]*'|\"[^\"]*\"|\S*\d\S*|\S*/\S*/\S*|<[^>]*>|: ")
_BUILD = "run `python -m validators skills build`"
_HEADING = re.compile(r"## (\w+)")
_TELLING = re.compile(r"\w \w|\w_\w")
"""Two words, or a name such as `partial_graph`; one word such as RuntimeError is in many lines."""
MOST_TOKENS = 1500
"""Of both reads."""


@dataclass(frozen=True)
class Reading:
    """What the agent saw before it knew the case: the sections, and the tokens of both reads."""

    sections: dict[str, str]
    searched: str
    grep_tokens: int

    def cost(self, case: str) -> int:
        """Tokens from the line to the section of `case`."""
        return self.grep_tokens + tokens(self.sections[case])


def phrases(line: str) -> list[str]:
    """What to search for: parts of the message that do not vary, then how it begins.

    The first long part comes first, then the others by length.
    """
    text = " ".join(_AROUND.sub("", line).split())
    parts = [_cut(it.strip(" ,;:-")) for it in _VARIES.split(text)]
    telling = [it for it in parts if _TELLING.search(it)]
    first = [it for it in telling if len(it) >= _LONG][:1]
    found = [*first, *sorted(telling, key=len, reverse=True), _cut(text)]
    return [it for it in found if len(it) >= _LEAST and not it.isalnum()]


def _cut(text: str) -> str:
    whole_words = text[: _MOST + 1].rsplit(" ", 1)[0]
    return text if len(text) <= _MOST else whole_words[:_MOST]


class References:
    """The references of a skill, as a search reads them."""

    def __init__(self, folder: Path) -> None:
        """`folder` is that of the skill."""
        self._lines: list[_Line] = []
        for file in sorted((folder / "references").glob("*.md")):
            self._lines += _lines_of(file)
        self._folded = [line.text.lower() for line in self._lines]
        self._whole = "\n".join(self._folded)

    def read_by_line(self, line: str) -> Reading:
        """Search for distinctive parts of a printed line."""
        return self._read(phrases(line))

    def read_by_words(self, text: str) -> Reading:
        """Search for what a sentence says: its long names, then three long words, then two."""
        words = [word.rstrip(".,:") for word in re.findall(r"[^\s`]+", text)]
        threes = [" ".join(words[i : i + 3]) for i in range(len(words) - 2)]
        twos = [" ".join(words[i : i + 2]) for i in range(len(words) - 1)]
        runs = [*sorted(threes, key=len, reverse=True), *sorted(twos, key=len, reverse=True)]
        code = [name for name in re.findall(r"`([^`]+)`", text) if len(name) > _LONG]
        return self._read([part for part in (*code, *runs) if len(part) >= _LEAST])

    def _read(self, searches: list[str]) -> Reading:
        for phrase in searches:
            if (words := phrase.lower()) in self._whole:
                hits = [i for i, text in enumerate(self._folded) if words in text]
                found = [self._lines[i] for i in hits]
                printed = "\n".join(f"{it.file}:{it.number}:{it.text}" for it in found)
                names = {it.case for it in found}
                sections = {name: self._section(name) for name in names if name}
                return Reading(sections, phrase, tokens(printed))
        return Reading({}, " / ".join(searches), 0)

    def _section(self, case: str) -> str:
        return "\n".join(line.text for line in self._lines if line.case == case).strip()


@dataclass(frozen=True)
class _Line:
    """A line of a file; `case` is that of the section around it, "" before the first one."""

    file: str
    number: int
    text: str
    case: str


def _lines_of(file: Path) -> Iterator[_Line]:
    case = ""
    for number, text in enumerate(file.read_text("utf-8").splitlines(), 1):
        if heading := _HEADING.match(text):
            case = heading[1]
        yield _Line(file.name, number, text, case)


def check_two_reads(repository: Repository, pack: Pack, skill: Skill) -> Iterator[Problem]:
    """Cases of a skill to which no search leads in two reads.

    The search is for their line in a log, or for words of their title where they print none.
    """
    folder = repository.root / "skills" / skill.name
    references = References(folder)
    for case in pack.cases_of(skill, repository.catalog):
        lines = printed_lines(case, repository)
        readings = [references.read_by_line(line) for line in lines]
        for reading in readings or [references.read_by_words(case.title)]:
            if defect := _defect(case, reading):
                yield Problem(folder / "references", 0, defect)


def printed_lines(case: Case, repository: Repository) -> list[str]:
    """The lines that the example printed on some release, if they have words, unlike `0/0:`."""
    lines = lines_that_show(case, repository.examples.get(case.name))
    return [line for line in dict.fromkeys(lines) if line != SILENT and phrases(line)]


def _defect(case: Case, reading: Reading) -> str:
    section = reading.sections.get(case.name, "")
    if not section:
        return f"a search for {reading.searched!r} does not find {case.name}; reword its heading"
    if case.fix not in section or "```diff" not in section:
        return f"the section of {case.name} lacks its fix or its change; {_BUILD}"
    if (cost := reading.cost(case.name)) > MOST_TOKENS:
        message = f"to find {case.name} by {reading.searched!r} takes {cost} tokens"
        return f"{message}, more than {MOST_TOKENS}; shorten its page's example or what is found"
    return ""
