"""What lines of source are suspected of, and what they are believed to be.

Each rule names the case that a statement or expression is about, or "".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

_REDUCED = {
    *("all", "allclose", "amax", "amin", "any", "argmax", "argmin", "count_nonzero", "equal"),
    *("isfinite", "isinf", "isnan", "item", "max", "mean", "min", "norm", "prod", "std", "sum"),
}
"""Methods and functions that make one value of a tensor, or one that is asked for its truth."""
_DYNAMIC = {"argwhere", "masked_select", "nonzero", "unique"}
_ARRAYS = {"np", "numpy", "math", "pd", "random"}
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
    if not isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return ""
    calls = [it for it in ast.walk(node.test) if isinstance(it, ast.Call)]
    if any(ast.unparse(it.func) == "torch.equal" for it in calls):
        return "torch_equal_in_forward"
    return "tensor_dependent_if_in_rotary" if any(map(_reduces, calls)) else ""


def _reduces(call: ast.Call) -> bool:
    """Whether a call makes one value of a tensor, as far as its name tells."""
    of = name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return attribute(call) in _REDUCED and of not in _ARRAYS


def _read(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if attribute(node) in ("item", "tolist") and not node.args:
        return "item_in_forward"
    if name(node.func) in ("int", "float", "bool") and isinstance(node.func, ast.Name):
        value = node.args[0] if len(node.args) == 1 else None
        return "item_in_forward" if isinstance(value, ast.Call) and _reduces(value) else ""
    return ""


def _sized(node: ast.AST) -> str:
    """Values that a tensor's content selects: their number is not known while tracing."""
    if isinstance(node, (ast.For, ast.comprehension)):
        calls = [it for it in ast.walk(node.iter) if isinstance(it, ast.Call)]
        told = any(attribute(it) == "nonzero" for it in calls)
        return "experts_looped_over_nonzero" if told and isinstance(node, ast.For) else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        where = ast.unparse(node.func) == "torch.where" and len(node.args) == 1
        told = attribute(node) in _DYNAMIC or (where and not node.keywords)
        return "boolean_mask_read" if told and name(node.func.value) not in _ARRAYS else ""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        return "boolean_mask_read" if _is_mask(node.slice) else ""
    return ""


def _is_mask(index: ast.expr) -> bool:
    if isinstance(index, ast.Tuple):
        return any(map(_is_mask, index.elts))
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert):
        return True
    if isinstance(index, ast.Compare):
        return not isinstance(index.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn))
    return name(index) == "mask" or name(index).endswith("_mask")


def _drawn(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    drawn = re.match(r"(?:np|numpy)\.random\.", ast.unparse(node.func))
    return "numpy_random_in_forward" if drawn else ""


def _said(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name) and node.func.id == "print":
        return "print_in_forward"
    if isinstance(node.func, ast.Attribute) and name(node.func.value) in LOGGERS:
        return "logging_in_forward"
    return "warning_in_forward" if ast.unparse(node.func) == "warnings.warn" else ""


def _mask(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return ""
    index = node.targets[0].slice
    if isinstance(index, (ast.Constant, ast.JoinedStr)):
        return ""  # A key of a dict.
    told = "mask" in ast.unparse(index).lower() or _is_mask(index)
    return "boolean_mask_assignment" if told else ""


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


SUSPECTED: tuple[Rule, ...] = (*(_branch, _read, _sized, _drawn, _said, _mask, _cat, _mark),)
"""Rules for what runs in a forward pass and may cost something."""
BELIEVED: tuple[Rule, ...] = (_kind_of_argument, _positions)
"""Rules for what runs in a forward pass and costs less than people believe."""
BELIEVED_AT_CONSTRUCTION: tuple[Rule, ...] = (_printed,)
"""Rules for what runs in `__init__`."""
EXACT: dict[str, Rule] = {"boolean_mask_assignment": _assigned_by_name}
"""What to look for where torch names only the function: it refuses a graph as a whole."""
