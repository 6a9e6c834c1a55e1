"""The exception classes of the compiler's parts, and of Triton's compiler."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from validators.families.torch_source.formats import escaped, letters_of
from validators.families.torch_source.found import Found
from validators.families.torch_source.installed import Release
from validators.families.torch_source.reading import Place, SourceFile, name_of

PLACES = (
    "_dynamo",
    "_inductor",
    "_functorch",
    "_export",
    "_higher_order_ops",
    "_library",
    "_subclasses",
    "compiler",
    "export",
    "fx/proxy.py",
    "fx/experimental/proxy_tensor.py",
    "fx/experimental/recording.py",
    "fx/experimental/symbolic_shapes.py",
    "fx/experimental/validator.py",
)
_OF_TRITON = ("errors.py", "compiler/errors.py", "runtime/errors.py")
_LEAST_LETTERS = 12
GENERAL = (
    *("BackendCompilerFailed", "CacheError", "CompilationError", "ExportError", "InductorError"),
    *("InternalError", "InternalTorchDynamoError", "LoweringException", "ParseException"),
    *("ReturnValueOp", "SystemError", "TestException", "TestingOnlyCompileError"),
    *("TorchRuntimeError", "TritonError", "Unsupported", "UserError", "ValidationException"),
    *("Yield", "YieldValueOp"),
)
"""They say nothing of a cause: raised whatever is wrong, named as others' are, or internal."""


def exceptions(release: Release) -> Iterator[Found]:
    """Each public exception class that says something of a cause.

    It has its docstring, and the message that it makes by itself.
    """
    files = chain(
        release.files(*PLACES, holding=("Error", "Exception")), release.triton_files(*_OF_TRITON)
    )
    classes: dict[str, _Class] = {}
    for file in files:
        for node in _classes(file.tree.body):
            bases = [name_of(base).rpartition(".")[2] for base in node.bases]
            before = classes.get(node.name, _Class([], []))
            found = [] if node.name.startswith("_") else list(_found(file, node))
            classes[node.name] = _Class(before.bases + bases, before.found + found)
    known: dict[str, bool] = {}
    for name, it in classes.items():
        if name not in GENERAL and _raises(name, classes, known):
            yield from it.found


@dataclass(frozen=True)
class _Class:
    """What is kept of all classes of one name: the names of their bases, and what they say."""

    bases: list[str]
    found: list[Found]


def _classes(nodes: Iterable[ast.AST]) -> Iterator[ast.ClassDef]:
    """The classes of a module, also under `if` and `try`."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield node
        elif isinstance(node, ast.If | ast.Try | ast.ExceptHandler):
            yield from _classes(ast.iter_child_nodes(node))


def _raises(name: str, classes: dict[str, _Class], known: dict[str, bool]) -> bool:
    """Whether `name` is an exception class of these files."""
    if name not in known:
        known[name] = False  # a class that is its own base is none
        bases = classes[name].bases if name in classes else []
        known[name] = any(_is_builtin(it) or _raises(it, classes, known) for it in bases)
    return known[name]


def _is_builtin(name: str) -> bool:
    found = getattr(builtins, name, None)
    warns = isinstance(found, type) and issubclass(found, Warning)
    return isinstance(found, type) and issubclass(found, BaseException) and not warns


def _found(file: SourceFile, node: ast.ClassDef) -> Iterator[Found]:
    explanation = (ast.get_docstring(node) or "").split("\n\n")[0]
    for text in dict.fromkeys(_messages(file, node)) or [""]:
        yield Found(
            key=node.name,
            format=text,
            file=file.name,
            explanation=escaped(" ".join(explanation.split())),
        )


def _messages(file: SourceFile, cls: ast.ClassDef) -> Iterator[str]:
    """What `__init__` gives to its base, or `__str__` returns."""
    for method in cls.body:
        if not isinstance(method, ast.FunctionDef) or method.name not in ("__init__", "__str__"):
            continue
        place = Place(method, (cls, method))
        for node in ast.walk(method):
            given: ast.expr | None = None
            match node:
                case ast.Call(func=ast.Attribute(attr="__init__"), args=[first, *_]):
                    given = first
                case ast.Return(value=value) if method.name == "__str__":
                    given = value
            for text in file.formats(given, place):
                if letters_of(text) >= _LEAST_LETTERS:
                    yield text
