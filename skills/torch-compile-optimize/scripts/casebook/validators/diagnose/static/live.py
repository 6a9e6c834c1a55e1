"""What of a function runs where something compiles, by the questions that it asks torch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef


def live(node: ast.If) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The two branches of an `if`, without one that only runs where nothing compiles."""
    test = ast.unparse(node.test)
    if re.fullmatch(r"not [\w.]*\bis_(?:dynamo_)?compiling\(\)(?: and .*)?", test):
        return [], node.orelse
    if re.fullmatch(r"[\w.]*\bis_(?:dynamo_)?compiling\(\)", test):
        return node.body, []
    if re.fullmatch(r"(?:[\w.]*\bis_(?:scripting|tracing)\(\)(?: or )?)+", test):
        return [], node.orelse
    return node.body, node.orelse


def traced(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, without what runs only where nothing compiles."""
    yield node
    below: Sequence[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.If) and live(node) != (node.body, node.orelse):
        below = [it for branch in live(node) for it in branch]
    for child in below:
        yield from traced(child)
