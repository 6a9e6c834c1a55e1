"""What of a function runs where something compiles, by the questions that it asks torch."""

from __future__ import annotations

import ast
import re


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
