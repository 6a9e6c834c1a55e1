"""Which classes and functions of some files a factory may use, by their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

Sources = Mapping[Path, ast.Module]
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BY_TEXT = {"eval", "exec", "globals", "import_module"}
"""Functions that find a class by a text, which names do not tell."""


def used(sources: Sources, file: Path, factory: str) -> Sources:
    """The files without the classes and functions that `factory` of `file` cannot reach.

    A name that appears in what is reached counts as a use of everything of that name. What a
    decorator may have registered stays, and everything does where code finds classes by a text.
    """
    tree = sources.get(file)
    defined = {name for node in tree.body for name in _names(node)} if tree else set()
    if factory not in defined:
        return sources
    reached, todo = {factory}, [factory]
    by_name: dict[str, list[ast.stmt]] = {}
    for module in sources.values():
        for node in module.body:
            for name in _names(node):
                by_name.setdefault(name, []).append(node)
            if isinstance(node, ast.ClassDef) and node.decorator_list:
                todo.append(node.name)
    while todo:
        nodes = by_name.get(todo.pop(), ())
        if any(map(_finds_by_text, nodes)):
            return sources
        mentioned = {it for node in nodes for it in _mentioned(node)}
        todo += mentioned & by_name.keys() - reached
        reached |= mentioned
    return {path: _pruned(module, reached) for path, module in sources.items()}


def _names(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module defines, its imports under other names included."""
    if isinstance(node, _NAMED):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (it.id for it in targets if isinstance(it, ast.Name))
    elif isinstance(node, ast.ImportFrom):
        yield from (it.asname for it in node.names if it.asname)


def _finds_by_text(node: ast.AST) -> bool:
    # A model's own `eval()` is another.
    found = (it.func for it in ast.walk(node) if isinstance(it, ast.Call))
    return any(
        (isinstance(it, ast.Name) and it.id in _BY_TEXT)
        or (isinstance(it, ast.Attribute) and it.attr == "import_module")
        for it in found
    )


def _mentioned(node: ast.AST) -> Iterator[str]:
    for it in ast.walk(node):
        if isinstance(it, ast.Name):
            yield it.id
        elif isinstance(it, ast.Attribute):
            yield it.attr
        elif isinstance(it, ast.alias):
            yield it.name


def _pruned(module: ast.Module, reached: set[str]) -> ast.Module:
    kept = [
        it
        for it in module.body
        if not isinstance(it, _NAMED) or it.name in reached or _registered(it)
    ]
    return ast.Module(body=kept, type_ignores=[])


def _registered(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and bool(node.decorator_list)
