"""Lists and dicts of a module that grow with every call, as far as its source tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_CASE = "list_attribute_that_grows"
_EMPTY = {"list": "list", "deque": "list", "dict": "dict", "OrderedDict": "dict"}
_ADD = {"append", "extend", "appendleft", "insert", "setdefault", "update"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def growing(methods: Sequence[Function]) -> Iterator[tuple[int, str]]:
    """The lines of a class's methods that make an attribute longer in every call.

    `__init__` must make it an empty list or dict, and no other method may empty it.
    """
    made = [it for it in methods if it.name == "__init__"]
    others = [it for it in methods if it.name != "__init__"]
    kinds = {attribute: kind for it in made for attribute, kind in _empty(it)}
    emptied = {attribute for it in others for attribute in _emptied(it, _self(it))}
    for method in others:
        for node in ast.walk(method):
            attribute = _longer(node, kinds, _self(method))
            if attribute in kinds and attribute not in emptied:
                yield node.lineno, _CASE  # type: ignore[attr-defined]


def _empty(method: Function) -> Iterator[tuple[str, str]]:
    """The attributes that a method makes an empty list or dict, and which of them."""
    for node in ast.walk(method):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            targets, value = [node.target], node.value
        else:
            continue
        if kind := _kind(value):
            owned = [name for it in targets if (name := _own(it, _self(method)))]
            yield from ((name, kind) for name in owned)


def _kind(value: ast.expr) -> str:
    match value:
        case ast.List(elts=[]):
            return "list"
        case ast.Dict(keys=[]):
            return "dict"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            filled = value.args and name not in ("deque",)
            return "" if filled else _EMPTY.get(name, "")
    return ""


def _self(method: Function) -> str:
    """What a method calls its object."""
    return next((it.arg for it in (*method.args.posonlyargs, *method.args.args)), "")


def _emptied(method: Function, me: str) -> Iterator[str]:
    for node in ast.walk(method):
        match node:
            case ast.Assign(targets=targets):
                yield from (name for it in targets if (name := _own(it, me)))
            case ast.Call(func=ast.Attribute(value=of, attr="clear" | "pop" | "popleft")):
                yield _own(of, me)
            case ast.Delete(targets=[ast.Subscript(value=of)]):
                yield _own(of, me)


def _longer(node: ast.AST, kinds: dict[str, str], me: str) -> str:
    """The attribute that a statement or call adds to, by a key that may be new."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr=method)) if method in _ADD:
            return _own(of, me)
        case ast.Assign(targets=[ast.Subscript(value=of, slice=key)]):
            fixed = isinstance(key, ast.Constant) or kinds.get(_own(of, me)) != "dict"
            return "" if fixed else _own(of, me)
        case ast.AugAssign(target=of, op=ast.Add(), value=ast.List()):
            return _own(of, me)
    return ""


def _own(node: ast.expr, me: str) -> str:
    """The attribute of the object `me` that an expression is, "" if it is something else."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner == me:
            return attribute
    return ""
