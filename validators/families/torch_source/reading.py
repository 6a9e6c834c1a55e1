"""Reads torch's Python files without importing them: which texts an expression can stand for."""

from __future__ import annotations

import ast
import itertools
import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from validators.errors import CasebookError
from validators.families.torch_source.formats import escaped, hole

Function = ast.FunctionDef | ast.AsyncFunctionDef
_TELLING = (
    ast.Assign,
    ast.Call,
    ast.ClassDef,
    ast.Constant,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Return,
    ast.keyword,
)
_MOST = 8
"""How many texts are followed for one expression."""
_DEEPEST = 6
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-0+]*[0-9*]*(?:\.[0-9*]+)?[sdrfgixXe]|%%")
_BRACES = re.compile(r"\{\{([^{}]*)\}\}")
_OF_ARGUMENT, _OF_SELF = ("dedent", "cleandoc", "indent"), ("strip", "lstrip", "rstrip")
"""Functions and methods whose result is the text that they are given, but for spaces."""


@dataclass(frozen=True)
class Place:
    """A node of a file, with the functions and classes around it, outermost first."""

    node: ast.AST
    around: tuple[Function | ast.ClassDef, ...]

    @property
    def functions(self) -> list[Function]:
        """The functions around it, innermost first."""
        return [it for it in reversed(self.around) if isinstance(it, Function)]


class SourceFile:
    """One Python file of a package, parsed when it is first asked for."""

    def __init__(self, path: Path, name: str) -> None:
        """`name` is the file's path inside its package."""
        self.path, self.name = path, name

    @cached_property
    def text(self) -> str:
        """The file's text."""
        return self.path.read_text(encoding="utf-8", errors="replace")

    @cached_property
    def tree(self) -> ast.Module:
        """The file's syntax tree.

        Raises:
            CasebookError: this Python cannot parse it.
        """
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError) as error:
            told = f"{self.path}: cannot be read by Python {platform.python_version()} ({error})"
            raise CasebookError(f"{told}; run this with a newer Python") from None

    @cached_property
    def places(self) -> list[Place]:
        """The file's calls, assignments, returns, texts, functions and classes, from the top."""
        return list(_places(self.tree))

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The file's functions by name, nested ones and methods, too."""
        return {it.node.name: it.node for it in self.places if isinstance(it.node, Function)}

    def calls(self) -> Iterator[tuple[Place, ast.Call, str]]:
        """Every call, with the last name of what is called."""
        for place in self.places:
            if isinstance(place.node, ast.Call):
                yield place, place.node, name_of(place.node.func).rpartition(".")[2]

    def formats(self, node: ast.AST | None, place: Place) -> list[str]:
        """The formats of the texts that the expression `node` can stand for at `place`."""
        return list(dict.fromkeys(_Texts(self, place).of(node)))[:_MOST] if node else []

    def logged(self, call: ast.Call, place: Place) -> list[str]:
        """The formats of what a call of a logger or of `warnings.warn` says."""
        texts = self.formats(call.args[0], place) if call.args else []
        return [with_arguments(it, call.args[1:]) for it in texts]


def _places(tree: ast.Module) -> Iterator[Place]:
    """The telling nodes of a tree, as they stand in the file."""
    ahead: list[tuple[ast.AST, tuple[Function | ast.ClassDef, ...]]] = [(tree, ())]
    while ahead:
        node, around = ahead.pop()
        if isinstance(node, _TELLING):
            yield Place(node, around)
        inside = (*around, node) if isinstance(node, Function | ast.ClassDef) else around
        ahead += [(child, inside) for child in reversed(list(ast.iter_child_nodes(node)))]


def name_of(node: ast.AST) -> str:
    """The dotted name of an expression; the part after anything that is not a name."""
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}".lstrip(".")
    return node.id if isinstance(node, ast.Name) else ""


def with_arguments(text: str, arguments: Iterable[ast.expr]) -> str:
    """The format of `text % arguments`, where `text` is a format."""
    values = iter(arguments)

    def filled(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        value = None if found[1] else next(values, None)
        return hole(ast.unparse(value) if value else found[1] or "")

    return _PERCENT.sub(filled, text)


class _Texts:
    """Follows expressions at one place; a name that is being followed is not followed again."""

    def __init__(self, file: SourceFile, place: Place) -> None:
        self.file, self.place, self.following = file, place, list[str]()
        self.follows_calls = True

    def of(self, node: ast.AST) -> list[str]:
        """The formats of an expression; a hole where nothing is known."""
        found = self._known(node)[:_MOST]
        return found or [hole(ast.unparse(node))]

    def _known(self, node: ast.AST) -> list[str]:
        match node:
            case ast.Constant(value=str(text)):
                return [escaped(text)]
            case ast.JoinedStr(values=values):
                return self._joined(values)
            case ast.FormattedValue(value=value):
                return self._short(value)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([left, right])
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                values = right.elts if isinstance(right, ast.Tuple) else [right]
                return [with_arguments(it, values) for it in self.of(left)]
            case ast.IfExp(body=body, orelse=orelse):
                return [*self.of(body), *self.of(orelse)]
            case ast.BoolOp(values=values):
                return [text for value in values for text in self._known(value)]
            case ast.Name(id=name):
                return self._named(name)
            case ast.Call(func=function, args=arguments):
                return self._called(function, arguments)
        return []

    def _joined(self, nodes: list[ast.expr]) -> list[str]:
        choices = [self.of(node) for node in nodes]
        return ["".join(it) for it in itertools.islice(itertools.product(*choices), _MOST)]

    def _short(self, value: ast.expr) -> list[str]:
        """A value inside an f-string: a text that is known, or a hole with its own name.

        What a function returns there stays a hole, since such texts vary and are long.
        """
        follows, self.follows_calls = self.follows_calls, False
        found = [it for it in self._known(value) if it]
        self.follows_calls = follows
        return found or [hole(ast.unparse(value))]

    def _named(self, name: str) -> list[str]:
        if name in self.following or len(self.following) >= _DEEPEST:
            return []
        self.following.append(name)
        found = [text for it in self._assigned(name) for text in self._known(it)]
        self.following.pop()
        return list(dict.fromkeys(found))

    def _assigned(self, name: str) -> list[ast.expr]:
        """What the nearest block that assigns `name` assigns to it."""
        for block in (*self.place.functions, self.file.tree):
            body = ast.walk(block) if isinstance(block, Function) else iter(block.body)
            if values := [value for node in body if (value := _value_for(name, node))]:
                return values
        return []

    def _called(self, function: ast.expr, arguments: list[ast.expr]) -> list[str]:
        if isinstance(function, ast.Attribute):
            if function.attr == "format":
                texts = self._known(function.value)
                return [_BRACES.sub(lambda it: hole(it[1]), text) for text in texts]
            if function.attr in _OF_SELF:
                return self._known(function.value)
        last = name_of(function).rpartition(".")[2]
        if last in _OF_ARGUMENT and arguments:
            return self._known(arguments[0])
        if self.follows_calls and isinstance(function, ast.Name) and last in self.file.functions:
            return self._returned(self.file.functions[last])
        return []

    def _returned(self, function: Function) -> list[str]:
        if function.name in self.following or len(self.following) >= _DEEPEST:
            return []
        inside = _Texts(self.file, Place(function, (function,)))
        inside.following = [*self.following, function.name]
        returns = [it.value for it in ast.walk(function) if isinstance(it, ast.Return) and it.value]
        return [text for value in returns for text in inside._known(value)]


def _value_for(name: str, node: ast.AST) -> ast.expr | None:
    """What a statement assigns to `name`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=found), value=value) if found == name:
            return value
        case ast.NamedExpr(target=ast.Name(id=found), value=value) if found == name:
            return value
    return None
