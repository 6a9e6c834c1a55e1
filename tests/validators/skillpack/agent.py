"""An agent without Python: it greps the index for words of a log, and reads the lines it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.skillpack.tokens import tokens

_LEAST, _LONG, _MOST = 6, 16, 40
"""The fewest characters of a phrase to search for, those of a good one, and the most."""
_AROUND = re.compile(
    r"^(?:\[[^\]]*\]\s*)*(?:- )?"
    r"(?:torch\.[\w.]*\w\.(?=[A-Z])|Graph Break Reason: |(?:last reason: )?\d+/\d+: )?"
    r"|\s# .*"
)
_VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\S*\d\S*|\S*/\S*/\S*|<[^>]*>|: ")
_TELLING = re.compile(r"\S \S")
"""Two words; one word such as RuntimeError is in many lines."""
_PLACE = re.compile(r"(\S+)#(\w+) (\d+)-(\d+)$")


@dataclass(frozen=True)
class Reading:
    """What the agent saw before it knew the case: the sections, and the tokens of both reads."""

    sections: dict[str, str]
    searched: str
    grep_tokens: int

    def cost(self, case: str) -> int:
        """Tokens from the line to the section of `case`."""
        return self.grep_tokens + tokens(self.sections[case])


def read_by_line(folder: Path, line: str) -> Reading:
    """Search the index below `folder` for distinctive parts of a printed line."""
    return _read(folder, phrases(line))


def read_by_words(folder: Path, text: str) -> Reading:
    """Search for what a sentence says: first its long names, then three long words, then two."""
    words = [it.rstrip(".,:") for it in re.findall(r"[^\s`]+", text)]
    threes = [" ".join(words[i : i + 3]) for i in range(len(words) - 2)]
    twos = [" ".join(words[i : i + 2]) for i in range(len(words) - 1)]
    runs = [*sorted(threes, key=len, reverse=True), *sorted(twos, key=len, reverse=True)]
    code = [it for it in re.findall(r"`([^`]+)`", text) if len(it) > _LONG]
    return _read(folder, [it for it in (*code, *runs) if len(it) >= _LEAST])


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


def _read(folder: Path, searches: list[str]) -> Reading:
    index = (folder / "index.md").read_text().splitlines()
    for phrase in searches:
        hits = [f"{n}:{it}" for n, it in enumerate(index, 1) if phrase.lower() in it.lower()]
        if hits:
            return Reading(dict(_sections(folder, hits)), phrase, tokens("\n".join(hits)))
    return Reading({}, " / ".join(searches), 0)


def _sections(folder: Path, hits: list[str]) -> Iterator[tuple[str, str]]:
    for hit in hits:
        if place := _PLACE.search(hit):
            file, case, first, last = place.groups()
            lines = (folder / file).read_text().splitlines()[int(first) - 1 : int(last)]
            yield case, "\n".join(lines)
