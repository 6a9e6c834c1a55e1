"""What a module's source does wrong where it compiles a model, read without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from validators.diagnose.static.rules import name

_WRAPPER = "DistributedDataParallel"
_USUAL = {_WRAPPER, "DDP"}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def calls_of_compile(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line of each call that compiles in a wrong way, and the case about it."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or name(node.func) != "compile":
            continue
        if {"mode", "options"} <= set(_given(node)):
            yield node.lineno, "mode_together_with_options"
    wrappers = _USUAL | set(_aliases(tree))
    for scope in (tree, *(it for it in ast.walk(tree) if isinstance(it, _SCOPES))):
        yield from ((line, "ddp_compile_order") for line in _compiled_wrappers(scope, wrappers))


def _given(call: ast.Call) -> Iterator[str]:
    """The keywords of a call that are not None, those of a literal dict after `**` included."""
    for it in call.keywords:
        pairs: list[tuple[ast.expr | None, ast.expr]] = [(ast.Constant(it.arg), it.value)]
        if it.arg is None and isinstance(it.value, ast.Dict):
            pairs = list(zip(it.value.keys, it.value.values, strict=True))
        for key, value in pairs:
            none = isinstance(value, ast.Constant) and value.value is None
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and not none:
                yield key.value


def _aliases(tree: ast.Module) -> Iterator[str]:
    """The names under which a module imports the wrapper."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (it.asname for it in node.names if it.name == _WRAPPER and it.asname)


def _compiled_wrappers(scope: ast.AST, wrappers: set[str]) -> Iterator[int]:
    """Where a scope compiles what it has wrapped: the wrapper's call, or a name that holds it."""
    holds: dict[str, bool] = {}

    def wraps(node: ast.expr) -> bool:
        if isinstance(node, ast.Call) and name(node.func) in wrappers:
            return True
        return holds.get(ast.unparse(node), False)

    for node in _in_order(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                holds[ast.unparse(target)] = wraps(node.value)
        elif isinstance(node, ast.Call) and any(map(wraps, _compiles(node))):
            yield node.lineno


def _compiles(call: ast.Call) -> list[ast.expr]:
    """What a call compiles: the argument of `torch.compile`, or the module whose method it is."""
    if _is_compile(call):
        return call.args[:1]
    method = isinstance(call.func, ast.Attribute) and call.func.attr == "compile"
    return [call.func.value] if method else []  # type: ignore[attr-defined]


def _is_compile(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.compile"


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of scopes inside it, operands before what uses them."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _SCOPES):
            yield from _in_order(child)
            yield child
