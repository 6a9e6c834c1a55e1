"""What a file says: its code and its sentences, each with the line where it begins."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from validators.errors import CasebookError
from validators.files import read_file

SUFFIXES = (".md", ".mdx", ".markdown", ".txt", ".rst", ".py", ".ipynb")
_PYTHON = ("python", "py", "python3", "pycon", "")
_SHELL = ("bash", "sh", "shell", "console", "zsh")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*\"])")
_MAX = 2 * 1024 * 1024

Kind = Literal["python", "shell", "prose"]


@dataclass(frozen=True)
class Passage:
    """A block of code, or one sentence, that begins at a line of a file, counted from 1.

    `around` is the paragraph or the row of a table that holds the sentence.
    """

    file: Path
    line: int
    kind: Kind
    text: str
    around: str = ""


def files_in(place: Path) -> list[Path]:
    """The files of a folder that can be audited, or the one file `place`.

    Raises:
        CasebookError: there is none.
    """
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise CasebookError(f"{place}: there is no such file or folder; name one")
    found = sorted(it for it in place.rglob("*") if it.suffix in SUFFIXES and it.is_file())
    if not found:
        raise CasebookError(f"{place}: holds no text that can be audited ({', '.join(SUFFIXES)})")
    return found


def passages(file: Path) -> list[Passage]:
    """The passages of a file, in order.

    Raises:
        CasebookError: the file is too large, not UTF-8, or not a notebook.
    """
    data = read_file(file)
    if len(data) > _MAX:
        raise CasebookError(f"{file}: has more than {_MAX} bytes; audit its parts")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise CasebookError(f"{file}: is not UTF-8; save it as UTF-8") from None
    if file.suffix == ".py":
        return [Passage(file, 1, "python", text)]
    if file.suffix == ".ipynb":
        return list(_of_notebook(file, text))
    return _of_markdown(file, text)


def _of_notebook(file: Path, text: str) -> Iterator[Passage]:
    """The cells; a line is counted within its cell."""
    try:
        cells = json.loads(text)["cells"]
        found = [(it["cell_type"], "".join(it["source"])) for it in cells]
    except (ValueError, KeyError, TypeError):
        raise CasebookError(f"{file}: is not a notebook; save it anew") from None
    for kind, source in found:
        if kind == "code":
            # Lines of IPython's own are not Python.
            kept = (it if it.lstrip()[:1] not in ("%", "!") else "" for it in source.split("\n"))
            yield Passage(file, 1, "python", "\n".join(kept))
        elif kind == "markdown":
            yield from _of_markdown(file, source)


def _of_markdown(file: Path, text: str) -> list[Passage]:
    front = _FRONT_MATTER.match(text)
    skipped = front.group() if front else ""
    found = list(_blocks(file, text[len(skipped) :], 1 + skipped.count("\n")))
    around: dict[int, str] = defaultdict(str)
    for it in found:
        around[it.line] += f"{it.text} "
    return [replace(it, around=around[it.line]) for it in found]


def _blocks(file: Path, text: str, first: int) -> Iterator[Passage]:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token, inside in _pairs(tokens):
        line = first + (token.map[0] if token.map else 0)
        if token.type == "fence" or token.type == "code_block":
            kind = _kind_of(token.info.strip().split(" ")[0].lower(), token.content)
            if kind:
                yield Passage(file, line + (token.type == "fence"), kind, token.content)
        elif inside is not None:
            for sentence in _SENTENCE.split(inside.content):
                yield Passage(file, line, "prose", sentence.replace("\n", " "))


def _pairs(tokens: list[Token]) -> Iterator[tuple[Token, Token | None]]:
    """Each block, with its text if it has some; a cell of a table has the line of its row."""
    row: Token | None = None
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "tr_open":
            row = token
        if following is not None and following.type == "inline":
            yield (row if token.type in ("td_open", "th_open") and row else token), following
        elif token.type in ("fence", "code_block"):
            yield token, None


def _kind_of(info: str, text: str) -> Kind | None:
    if info in _SHELL:
        return "shell"
    if info not in _PYTHON:
        return None
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return "python" if info else None
    return "python"


def sentences(found: Iterable[Passage]) -> list[Passage]:
    """The passages that are sentences."""
    return [it for it in found if it.kind == "prose"]
