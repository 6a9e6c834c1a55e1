"""Which programs somebody's code is like, by the names of Python and torch that both use."""

from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import functools
import inspect
import itertools
import math
import random
import sys
import sysconfig
import textwrap
import types
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

_HOLDERS: tuple[Any, ...] = (
    builtins,
    collections,
    collections.OrderedDict,
    collections.deque,
    dict,
    functools,
    itertools,
    list,
    random,
    set,
    str,
    torch,
    torch.Tensor,
    torch.autograd,
    torch.autograd.Function,
    torch.autograd.function.FunctionCtx,
    torch.func,
    torch.nn,
    torch.nn.Module,
    torch.nn.functional,
    types,
)
"""What has the names that code is known by; others are its author's own."""
_AROUND = ("inputs", "instead")
"""What a program has beside the code that is wrong."""
_MOST = 0.3
"""The part of what is special about a program that code must have, to be like it."""
_LEAST = 1.0
"""What a program must have that is special: a name that every third one has."""
_SYNTAX = (
    ast.AugAssign,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Global,
    ast.In,
    ast.Is,
    ast.Lambda,
    ast.ListComp,
    ast.Nonlocal,
    ast.SetComp,
    ast.Starred,
    ast.Try,
    ast.With,
    ast.Yield,
    ast.YieldFrom,
)
_SAME: dict[type[ast.AST], type[ast.AST]] = {ast.IsNot: ast.Is, ast.NotIn: ast.In}
_IN_ALL = {"Module", "__init__", "compiler", "forward", "nn", "super", "torch"}
"""Names that tell nothing: models of all kinds have them."""
_HOOKS = {*dir(torch.autograd.Function), *dir(torch.nn.Module)}
"""Names that Python and torch look up in classes of the author's."""
_TORCH = Path(torch.__file__).parent
_STANDARD = Path(sysconfig.get_path("stdlib"))
_OURS = Path(__file__).parents[2]


def alike(code: Iterable[str], programs: Mapping[str, str]) -> list[str]:
    """The programs of which the code has most of what is special, the most special first.

    Those that come less than half as near as the first are left out.
    """
    known = {name: names_in(source, _AROUND) for name, source in programs.items()}
    had = Counter(name for names in known.values() for name in names)
    own = {name for source in code for name in names_in(source)}

    def weight(names: Iterable[str]) -> float:
        return sum(math.log((len(known) + 1) / had[name]) for name in names)

    near = {}
    for name, names in known.items():
        shared, whole = weight(names & own), weight(names)
        if _LEAST <= shared >= _MOST * whole:
            near[name] = shared * shared / whole
    best = max(near.values(), default=0.0)
    close = [name for name, score in near.items() if 2 * score >= best]
    return sorted(close, key=lambda name: (-near[name], name))


def names_in(source: str, without: Collection[str] = ()) -> frozenset[str]:
    """The names of Python, torch and numpy in some source, and its kinds of syntax.

    Functions of the module that are called as in `without` do not count.
    """
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return frozenset()
    parts = [it for it in tree.body if getattr(it, "name", "") not in without]
    nodes = [node for part in parts for node in ast.walk(part)]
    own = {name for node in nodes for name in _bound(node)} - _HOOKS
    return frozenset(name for node in nodes for name in _names(node)) - own - _IN_ALL


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node gives to something of the author's."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
        yield node.name
    if isinstance(node, ast.arg):
        yield node.arg
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.id if isinstance(node, ast.Name) else node.attr


def _names(node: ast.AST) -> Iterator[str]:
    kind = _SAME.get(type(node), type(node))
    if kind in _SYNTAX:
        yield kind.__name__
    for field in ("attr", "id", "name", "arg"):
        name = getattr(node, field, None)
        if name in _vocabulary():
            yield name
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.name for alias in node.names)


@functools.cache
def _vocabulary() -> frozenset[str]:
    numpy = [sys.modules["numpy"]] if "numpy" in sys.modules else []
    return frozenset(name for holder in [*_HOLDERS, *numpy] for name in dir(holder))


def code_run(run: Callable[[], object]) -> list[str]:
    """The source of the functions that a run calls, and of the files that are the user's."""
    seen: set[types.CodeType] = set()

    def note(frame: types.FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return [*_sources(seen)]


def _sources(seen: Iterable[types.CodeType]) -> Iterator[str]:
    files = set()
    for code in seen:
        file = Path(code.co_filename)
        if "site-packages" in file.parts and not file.is_relative_to(_TORCH):
            with contextlib.suppress(OSError, TypeError):
                yield inspect.getsource(code)
        elif file.is_file() and not any(map(file.is_relative_to, (_TORCH, _STANDARD, _OURS))):
            files.add(file)
    yield from (file.read_text("utf-8", "replace") for file in files)
