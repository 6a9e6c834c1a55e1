"""Checks of `asked` lines: what they name, the page treats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from pathlib import Path

from validators.catalog import Case
from validators.catalog.page import line_of, split_page
from validators.errors import Problem
from validators.files import read_file

FILE = "subject_names.txt"
"""Beside the catalog: the names of the subject's functions, classes and options, a line each."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_VARIABLE = re.compile(r"(?:TORCH|PYTORCH)[A-Z]*_[A-Z_]+")
_OF_AN_OPTION = re.compile(r"TORCH(?:DYNAMO|INDUCTOR)_(?=[A-Z]+_)")
"""Begins a variable that sets the option of its other words."""
_ENOUGH = 8
"""Letters of a name that no text holds by chance, written apart or not."""


def load_names(playbooks: Path) -> frozenset[str]:
    """The names of the subject; none where there is no such file, and then no line is checked."""
    file = playbooks / FILE
    return frozenset(read_file(file).decode("utf-8").split()) if file.exists() else frozenset()


def check_asked(case: Case, names: Set[str]) -> Iterator[Problem]:
    """Lines of `asked` that name what neither the page nor its proof does.

    They are claims: who searches for the name is led to the page. Of a line count the subject's
    `names` and variables of its environment; others are a user's own, or another library's.
    """
    named = [(line, name) for line in case.meta.asked for name in _named(line, names)]
    if not named:
        return
    text = _text(case)
    treated, run_together = {_bare(name) for name in _NAME.findall(text)}, _letters(text)
    for line, name in named:
        option = _OF_AN_OPTION.sub("", name)
        letters = _letters(option)
        if _bare(option) in treated or (len(letters) >= _ENOUGH and letters in run_together):
            continue
        message = (
            f"`asked`: the page does not treat {name!r}; say what holds of it or drop the line"
        )
        yield Problem(case.page, _line(case, line), message)


def _named(line: str, names: Set[str]) -> Iterator[str]:
    for name in dict.fromkeys(_NAME.findall(line)):
        if name in names or _VARIABLE.fullmatch(name):
            yield name


def _text(case: Case) -> str:
    meta = case.meta
    told = [case.name, *meta.aliases, meta.claim, meta.believed, *meta.signatures, case.body]
    broken = [meta.graph_break.type] if meta.graph_break else []
    return " ".join([*told, *broken, case.proof.read_text(encoding="utf-8", errors="replace")])


def _bare(name: str) -> str:
    return name.strip("_").lower()


def _letters(text: str) -> str:
    """`text` without what tells `LayerNorm`, `layer_norm` and "layer norm" apart."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _line(case: Case, asked: str) -> int:
    """The line of the page that the text `asked` begins in."""
    source, _, _ = split_page(case.page)
    lines = enumerate(source.split("\n"), 2)
    begun = (number for number, line in lines if asked[:40] in line)
    return next(begun, line_of(source, "asked"))  # where it is quoted, or folded early
