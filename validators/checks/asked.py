"""Checks of `asked` lines: the page must say something about what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from pathlib import Path

from validators.catalog import Case
from validators.catalog.page import line_of, split_page
from validators.errors import Problem
from validators.files import read_file

FILE = "subject_names.txt"
"""Beside the catalog: the names of the subject's functions, classes and options, one per line."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_VARIABLE = re.compile(r"(?:TORCH|PYTORCH)[A-Z]*_[A-Z_]+")
_OF_AN_OPTION = re.compile(r"TORCH(?:DYNAMO|INDUCTOR)_(?=[A-Z]+_)")
"""Begins a variable that sets an option; the rest of its name is the option's."""
_ENOUGH = 8
"""A name with this many letters occurs in no text by chance, even without its word breaks."""


def load_names(playbooks: Path) -> frozenset[str]:
    """The names of the subject; none if the file is missing, so that no line is checked."""
    file = playbooks / FILE
    return frozenset(read_file(file).decode("utf-8").split()) if file.exists() else frozenset()


def check_asked(case: Case, names: Set[str]) -> Iterator[Problem]:
    """Lines of `asked` with a name that neither the page nor its proof mentions.

    They are claims, since they lead people who search for the name to the page. Only the subject's
    `names` and its environment variables count; others are a user's own, or another library's.
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
            f"`asked`: the page does not mention {name!r}; say what holds of it or remove the line"
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
    """The letters and digits of `text`: `LayerNorm`, `layer_norm` and "layer norm" are equal."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _line(case: Case, asked: str) -> int:
    """The line of the page in which the text `asked` begins."""
    source, _, _ = split_page(case.page)
    lines = enumerate(source.split("\n"), 2)
    begun = (number for number, line in lines if asked[:40] in line)
    return next(begun, line_of(source, "asked"))  # if it is quoted, or folded early
