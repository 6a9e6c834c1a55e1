"""Ints of a module that its calls count up, as far as its source tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from validators.diagnose.static.live import Function, traced

_OF_TORCH = {"nn", "torch"}


def counting(methods: Sequence[Function], run: Sequence[Function]) -> Iterator[tuple[int, str]]:
    """The lines of the methods that `run` which change an attribute by an int; buffers may."""
    tensors = {it for method in methods for node in ast.walk(method) for it in _tensors(node)}
    for method in run:
        for node in traced(method):
            counted = _counted(node)
            if counted and counted not in tensors:
                yield node.lineno, "integer_module_attribute"  # type: ignore[attr-defined]


def _tensors(node: ast.AST) -> Iterator[str]:
    """The attributes that a statement or call makes tensors."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=str(it)), *_]
        ):
            yield it
        case ast.Assign(targets=targets, value=ast.Call(func=ast.Attribute(value=of))):
            if ast.unparse(of).split(".")[0] in _OF_TORCH:
                yield from map(_own, targets)


def _counted(node: ast.AST) -> str:
    match node:
        case ast.AugAssign(target=target, value=step) if _is_int(step):
            return _own(target)
        case ast.Assign(targets=[target], value=ast.BinOp(left, ast.Add() | ast.Sub(), right)):
            own, steps = _own(target), [(left, right), (right, left)]
            return own if any(_own(it) == own and _is_int(step) for it, step in steps) else ""
    return ""


def _is_int(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _own(node: ast.expr) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
            return attribute
    return ""
