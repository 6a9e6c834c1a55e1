"""What code does with a number that it reads out of a tensor, which decides how to do without.

A number that is computed with can stay a tensor; a size, an index or a condition cannot.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_READS = {"item"}
_CASTS = {"int", "float", "bool"}
_PASSING = {*_CASTS, "max", "min", "abs", "round"}
"""Functions of numbers whose result is used as the number would be."""
_SIZED = {
    *("arange", "as_strided", "broadcast_to", "chunk", "empty", "expand", "eye", "full"),
    *("narrow", "new_empty", "new_full", "new_ones", "new_zeros", "one_hot", "ones", "pad"),
    *("rand", "randint", "randn", "randperm", "range", "repeat", "repeat_interleave", "reshape"),
    *("split", "tile", "topk", "unflatten", "view", "zeros"),
}
"""Functions whose integer arguments are sizes."""
_SIZES = {
    *("dim_size", "max_length", "minlength", "num_classes", "num_segments", "output_size", "size"),
}
"""Keywords that take sizes."""
_DEEPEST = 3
"""Names that a number passes through on its way to where it is used."""

Parents = dict[ast.AST, ast.AST]


def use_at(tree: ast.Module, line: int) -> tuple[str, int]:
    """What the number is used as that a line reads out of a tensor, and in which line.

    Such as "a size"; "" where the line reads none, or computes with it. The line is 0 if it is the
    same one.
    """
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    reads = [it for it in parents if isinstance(it, ast.Call) and _reads(it)]
    there = [it for it in reads if it.lineno <= line <= (it.end_lineno or it.lineno)]
    if not there:
        return "", 0
    # The innermost call: what is around it only passes the number on.
    use, where = _use_of(max(there, key=lambda it: (it.lineno, it.col_offset)), parents, _DEEPEST)
    return use, 0 if where == line else where


def _reads(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr in _READS and not call.args
    return isinstance(function, ast.Name) and function.id in _CASTS and len(call.args) == 1


def _use_of(node: ast.AST, parents: Parents, depth: int) -> tuple[str, int]:
    """What a value is used as, and the line; through names, if it is given some."""
    line: int = getattr(node, "lineno", 0)
    while (parent := parents.get(node)) is not None:
        if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and node is parent.test:
            return "a condition", line
        if isinstance(parent, ast.Slice) or (
            isinstance(parent, ast.Subscript) and node is parent.slice
        ):
            return "an index", line
        if isinstance(parent, ast.keyword) and parent.arg in _SIZES:
            return "a size", line
        if isinstance(parent, ast.Call) and node is not parent.func:
            name = getattr(parent.func, "attr", getattr(parent.func, "id", ""))
            if name in _SIZED:
                return "a size", line
            if name not in _PASSING:
                return "", 0
        if isinstance(parent, ast.stmt):
            return _use_of_name(parent, parents, depth)
        node = parent
    return "", 0


def _use_of_name(statement: ast.stmt, parents: Parents, depth: int) -> tuple[str, int]:
    """What the name that a statement gives to a value is used as, where it tells first."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if depth == 0 or len(targets) != 1 or not isinstance(targets[0], ast.Name):
        return "", 0
    for it in _loads(statement, targets[0].id, parents):
        use, line = _use_of(it, parents, depth - 1)
        if use:
            return use, line
    return "", 0


def _loads(statement: ast.stmt, name: str, parents: Parents) -> Iterator[ast.Name]:
    """Where the function of a statement reads a name after it, in order."""
    around: ast.AST = statement
    while around in parents and not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
        around = parents[around]
    read = [
        it
        for it in ast.walk(around)
        if isinstance(it, ast.Name) and it.id == name and isinstance(it.ctx, ast.Load)
        if it.lineno > (statement.end_lineno or statement.lineno)
    ]
    yield from sorted(read, key=lambda it: (it.lineno, it.col_offset))
