"""Which methods of models some files call, by their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from validators.diagnose.static.live import Function

Sources = Mapping[Path, ast.Module]
_KNOWN = {"Module", "object", "ABC", "Protocol", "Generic"}


def uncalled(sources: Sources) -> set[ast.AST]:
    """The methods of classes with a `forward` that nothing calls in these files.

    A class that has a base elsewhere has none: code there may call what it defines.
    """
    nodes = [it for tree in sources.values() for it in ast.walk(tree)]
    owners = [it for it in nodes if isinstance(it, ast.ClassDef)]
    closed = _closed(owners)
    asked = [it for owner in owners if owner.name in closed for it in _unasked(owner)]
    known = {it for tree in sources.values() for it in _mentioned(tree, {*asked})}
    todo = {*known}
    while todo:
        named = {it for method in asked if method.name in todo for it in _mentioned(method, set())}
        todo = named - known
        known |= named
    return {it for it in asked if it.name not in known}


def _closed(owners: list[ast.ClassDef]) -> set[str]:
    """The names of the classes whose bases are all known, and those of their bases."""
    closed: set[str] = {it.name for it in owners}
    while True:
        open_ = {it.name for it in owners if not _bases(it) <= closed | _KNOWN} & closed
        if not open_:
            return closed
        closed -= open_


def _bases(owner: ast.ClassDef) -> set[str]:
    return {ast.unparse(it).split("[")[0].split(".")[-1] for it in owner.bases}


def _unasked(owner: ast.ClassDef) -> Iterator[Function]:
    """The methods of a model that neither torch, Python nor a trainer calls by its name."""
    methods = [it for it in owner.body if isinstance(it, Function)]
    if any(it.name == "forward" for it in methods):
        others = (it for it in methods if not re.match(r"__|_?forward", it.name))
        yield from (it for it in others if not any(map(_compiles, it.decorator_list)))


def _compiles(decorator: ast.expr) -> bool:
    return "compile" in ast.unparse(decorator)


def _mentioned(node: ast.AST, without: set[ast.AST]) -> Iterator[str]:
    """The names that code uses, also in texts, without what is below the nodes `without`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            yield name
    for child in ast.iter_child_nodes(node):
        if child not in without:
            yield from _mentioned(child, without)
