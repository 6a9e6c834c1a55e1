"""Graph breaks: the ids of torch's registry, and which of them the release's code still prints."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from validators.errors import CasebookError
from validators.families.torch_source.formats import (
    letters_of,
    of_registry,
    parts_of,
    shape_of,
    slug_of,
)
from validators.families.torch_source.found import Found
from validators.families.torch_source.installed import Release

REGISTRY = "_dynamo/graph_break_registry.json"
_KEYWORD = "gb_type"
_LEAST_LETTERS = 10
"""A computed type with fewer literal letters could be any."""


def graph_breaks(release: Release) -> Iterator[Found]:
    """Every id of the registry, and every type that the code prints and the registry lacks.

    Releases before 2.9 have no registry: nothing is found there.
    """
    path = release.folder / REGISTRY
    if not path.exists():
        return
    types = _Types(release)
    known = []
    for key, entries in _registry(path).items():
        texts = [of_registry(entry["Gb_type"]) for entry in entries]
        known += texts
        files = [types.files_of(text) for text in texts]
        at = next((number for number, it in enumerate(files) if it), 0)
        entry = entries[at]
        for file in files[at] or [""]:
            yield Found(
                key=key,
                format=texts[at],
                file=file,
                context=of_registry(entry["Context"]),
                explanation=of_registry(entry["Explanation"]),
                hints=tuple(map(of_registry, entry["Hints"])),
                printed=bool(files[at]),
            )
    for text, files_without_id in sorted(types.raised.items()):
        if letters_of(text) >= _LEAST_LETTERS and not any(_may_be(text, it) for it in known):
            for file in sorted(files_without_id):
                yield Found(key=slug_of(text), format=text, file=file)


def standard_hints(release: Release) -> dict[str, list[str]]:
    """The hints that torch gives a name, such as SUPPORTABLE, as formats."""
    file = release.file("_dynamo/graph_break_hints.py")
    if not file.path.exists():
        return {}
    found = {}
    for node in file.tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[*texts])):
                found[name] = [it for text in texts for it in _literal(text)]
    return found


def _literal(node: ast.expr) -> list[str]:
    literal = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return [of_registry(node.value)] if literal else []  # type: ignore[attr-defined]


def _registry(path: Path) -> dict[str, list[dict[str, Any]]]:
    try:
        found: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
        return {key: entries for key, entries in found.items() if entries}
    except ValueError as error:
        raise CasebookError(f"{path}: is damaged ({error}); reinstall torch there") from None


class _Types:
    """The types of graph breaks that a release's code can raise, with the files that do."""

    def __init__(self, release: Release) -> None:
        self.raised: dict[str, set[str]] = defaultdict(set)
        self.written: dict[str, set[str]] = defaultdict(set)
        for file in release.files("", holding=(_KEYWORD,)):
            for place in file.places:
                node = place.node
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    self.written[shape_of(of_registry(node.value))].add(file.name)
                if isinstance(node, ast.keyword) and node.arg == _KEYWORD:
                    for text in file.formats(node.value, place):
                        self.raised[text].add(file.name)

    def files_of(self, text: str) -> list[str]:
        """The files that raise the type `text`; it may be computed there, or stand in a variable.

        `text` is a format of the registry.
        """
        found = set(self.written.get(shape_of(text), ()))
        for raised, files in self.raised.items():
            if letters_of(raised) >= _LEAST_LETTERS and _may_be(raised, text):
                found |= files
        return sorted(found)


def _may_be(raised: str, listed: str) -> bool:
    """Whether the code's type may be the registry's, where either may have holes."""
    if "{" not in raised + listed:
        return raised == listed
    one, other = shape_of(raised), shape_of(listed)
    return one == other or _fits(raised, other) or _fits(listed, one)


def _fits(text: str, shape: str) -> bool:
    """Whether a format with holes may print the text of another."""
    if "{" not in text or "{" in shape:
        return False
    pattern = ".+".join(map(re.escape, parts_of(text)))
    return re.fullmatch(pattern, shape, re.DOTALL) is not None
