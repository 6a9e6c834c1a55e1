"""What lines of source are suspected of, and what they are believed to be.

Each rule names the case that a statement or expression is about, or "".
"""

from __future__ import annotations

import ast
from collections.abc import Callable

_REDUCED = {"any", "all", "item", "max", "min", "sum", "equal", "isnan", "allclose"}
LOGGERS = {"logger", "log", "logging", "_logger"}
_MARKS = {"mark_dynamic", "maybe_mark_dynamic", "mark_unbacked", "mark_static"}
Rule = Callable[[ast.AST], str]


def attribute(node: ast.Call) -> str:
    """The method that a call names, "" if it calls a plain name."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def name(node: ast.AST) -> str:
    """The last name of a dotted expression, "" if it is none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _branch(node: ast.AST) -> str:
    if not isinstance(node, (ast.If, ast.While)):
        return ""
    calls = [it for it in ast.walk(node.test) if isinstance(it, ast.Call)]
    told = [it for it in calls if isinstance(it.func, ast.Attribute) and it.func.attr in _REDUCED]
    return "tensor_dependent_if_in_rotary" if told else ""


def _read(node: ast.AST) -> str:
    if not isinstance(node, ast.Call) or node.args:
        return ""
    return {"item": "item_in_forward", "tolist": "item_in_forward"}.get(attribute(node), "")


def _said(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name) and node.func.id == "print":
        return "print_in_forward"
    if isinstance(node.func, ast.Attribute) and name(node.func.value) in LOGGERS:
        return "logging_in_forward"
    return "warning_in_forward" if ast.unparse(node.func) == "warnings.warn" else ""


def _counter(node: ast.AST) -> str:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        return "integer_module_attribute" if number and name(node.target.value) == "self" else ""
    return ""


def _mask(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return ""
    index = node.targets[0].slice
    return "boolean_mask_assignment" if "mask" in ast.unparse(index).lower() else ""


def _assigned_by_name(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return ""
    by_name = isinstance(node.targets[0].slice, (ast.Name, ast.Attribute))
    return "boolean_mask_assignment" if by_name else ""


def _cat(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return ""
    if attribute(node.value) != "cat" or not node.value.args:
        return ""
    kept = ast.unparse(node.targets[0])
    return (
        "kv_cache_grown_by_cat"
        if kept.startswith("self.") and kept in ast.unparse(node.value)
        else ""
    )


def _mark(node: ast.AST) -> str:
    marks = isinstance(node, ast.Call) and attribute(node) in _MARKS
    return "mark_inside_compiled_region" if marks else ""


def _kind_of_argument(node: ast.AST) -> str:
    if not isinstance(node, ast.If):
        return ""
    for it in ast.walk(node.test):
        compares = isinstance(it, ast.Compare) and isinstance(it.ops[0], (ast.Is, ast.IsNot))
        if compares or (isinstance(it, ast.Call) and name(it.func) == "isinstance"):
            return "none_check_and_isinstance"
    return ""


def _positions(node: ast.AST) -> str:
    if not isinstance(node, ast.Call) or attribute(node) != "expand":
        return ""
    expanded = ast.unparse(node.func)
    return "expand_position_ids" if "position" in expanded or "arange" in expanded else ""


def _printed(node: ast.AST) -> str:
    return "print_at_construction" if _said(node) == "print_in_forward" else ""


SUSPECTED: tuple[Rule, ...] = (_branch, _read, _said, _counter, _mask, _cat, _mark)
"""Rules for what runs in a forward pass and may cost something."""
BELIEVED: tuple[Rule, ...] = (_kind_of_argument, _positions)
"""Rules for what runs in a forward pass and costs less than people believe."""
BELIEVED_AT_CONSTRUCTION: tuple[Rule, ...] = (_printed,)
"""Rules for what runs in `__init__`."""
EXACT: dict[str, Rule] = {"boolean_mask_assignment": _assigned_by_name}
"""What to look for where torch names only the function: it refuses a graph as a whole."""
