"""Lists and dicts that grow with every call, as far as their source tells."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from validators.diagnose.static.live import Function

_CASES = {"list": "list_attribute_that_grows", "dict": "dict_written_in_compiled_code"}
_EMPTY = {"list": "list", "deque": "list", "dict": "dict", "OrderedDict": "dict"}
_ADD = {"append", "extend", "appendleft", "insert", "setdefault", "update"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Own = Callable[[ast.expr], str]


def growing(methods: Sequence[Function], run: Sequence[Function]) -> Iterator[tuple[int, str]]:
    """The lines of the methods that `run` which make an attribute longer in every call.

    `__init__` must make it an empty list or dict, and no other method may empty it.
    """
    made = [it for it in methods if it.name == "__init__"]
    others = [it for it in methods if it.name != "__init__"]
    kinds = {attribute: kind for it in made for attribute, kind in _empty(it, _own_of(it))}
    for it in others:
        for emptied in _emptied(it, _own_of(it)):
            kinds.pop(emptied, None)
    for it in run:
        yield from _grown(it, kinds, _own_of(it))


def growing_in_module(tree: ast.Module, functions: Iterable[Function]) -> Iterator[tuple[int, str]]:
    """The lines of `functions` that make a list or dict of the module longer in every call.

    The module must make it empty, and nothing in it may empty it again.
    """
    made = [it for it in tree.body if isinstance(it, (ast.Assign, ast.AnnAssign))]
    kinds = {name: kind for it in made for name, kind in _empty(it, _global)}
    for scope, own in _scopes(tree):
        for emptied in _emptied(scope, own):
            kinds.pop(emptied, None)
    for function in functions:
        yield from _grown(function, kinds, _globals_of(function))


def _scopes(tree: ast.Module) -> Iterator[tuple[ast.AST, Own]]:
    """The functions of a module, and what it runs itself after its plain assignments."""
    yield from ((it, _globals_of(it)) for it in ast.walk(tree) if isinstance(it, Function))
    kinds = (*_DEFINITIONS, ast.Assign, ast.AnnAssign)
    yield from ((it, _global) for it in tree.body if not isinstance(it, kinds))


def _grown(function: Function, kinds: dict[str, str], own: Own) -> Iterator[tuple[int, str]]:
    for node in ast.walk(function):
        if (longer := _longer(node, kinds, own)) in kinds:
            yield node.lineno, _CASES[kinds[longer]]  # type: ignore[attr-defined]


def _own_of(method: Function) -> Own:
    """What tells the attribute of a method's object that an expression is, "" if it is none."""
    me = next((it.arg for it in (*method.args.posonlyargs, *method.args.args)), "")

    def own(node: ast.expr) -> str:
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner == me:
                return attribute
        return ""

    return own


def _global(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _globals_of(function: Function) -> Own:
    """What tells the global that an expression is, "" if it is a name of the function's own."""
    nodes = list(ast.walk(function))
    local = {it.arg for it in nodes if isinstance(it, ast.arg)}
    local |= {it.id for it in nodes if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)}
    local -= {name for it in nodes if isinstance(it, ast.Global) for name in it.names}
    return lambda node: "" if _global(node) in local else _global(node)


def _empty(scope: ast.AST, own: Own) -> Iterator[tuple[str, str]]:
    """What a method or statement makes an empty list or dict, and which of them."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            targets, value = [node.target], node.value
        else:
            continue
        if kind := _kind(value):
            yield from ((name, kind) for it in targets if (name := own(it)))


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


def _emptied(scope: ast.AST, own: Own) -> Iterator[str]:
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=targets):
                longer = _longer_copy(node, own)
                yield from (name for it in targets if (name := own(it)) and name != longer)
            case ast.Call(func=ast.Attribute(value=of, attr="clear" | "pop" | "popleft")):
                yield own(of)
            case ast.Delete(targets=[ast.Subscript(value=of)]):
                yield own(of)


def _longer(node: ast.AST, kinds: dict[str, str], own: Own) -> str:
    """What a statement or call adds to, by a key that may be new."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr=method)) if method in _ADD:
            return own(of)
        case ast.Assign(targets=[ast.Subscript(value=of, slice=key)]):
            fixed = isinstance(key, ast.Constant) or kinds.get(own(of)) != "dict"
            return "" if fixed else own(of)
        case ast.AugAssign(target=of, op=ast.Add(), value=ast.List()):
            return own(of)
        case ast.Assign():
            return _longer_copy(node, own)
    return ""


def _longer_copy(node: ast.Assign, own: Own) -> str:
    """What a statement replaces by itself and something more, as in `seen = seen + [x]`."""
    name = own(node.targets[0])
    match node.value:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [left, right]
        case ast.List(elts=elements) if len(elements) > 1:
            parts = [it.value for it in elements if isinstance(it, ast.Starred)]
        case ast.Dict(keys=keys, values=values) if len(keys) > 1:
            parts = [it for key, it in zip(keys, values, strict=True) if key is None]
        case _:
            return ""
    return name if name in map(own, parts) else ""
