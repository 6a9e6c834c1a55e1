"""The dims that vary are marked in the calls that the factory returns.

A mark belongs to a tensor, so it is made before the compiled model gets it. `verify-fix` keeps the
calls of the first form, so this change is judged by the calls of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from validators.diagnose.explaining.marks import (
    PLACES,
    VARYING,
    ZERO_ONE,
    best_mark,
    dims_of,
    marked_best,
)
from validators.patch.editing.changes import Change, Left, NotMechanicalError, Replacement, Scene
from validators.patch.editing.source import names
from validators.patch.editing.statements import only_statement

_PATH = re.compile(r"""(?P<first>\w+)(?P<rest>(?:\[\d+\]|\["[^"\\]+"\])*)""")
"""An argument, and a part of it in lists and dicts."""
_FRESH = ("model", "calls", "loss")


def calls(scene: Scene) -> Iterator[Change | Left]:
    """A change of the factory for all dims whose marks save a graph."""
    groups = marked_best(scene.shapes) if scene.shapes else []
    if not groups or not scene.factory:
        return
    source = scene.source
    function = next((it for it in source.all(cst.FunctionDef) if _is_factory(scene, it)), None)
    if function is None:
        return
    try:
        line, replaced = _marked(scene, function, groups)
    except NotMechanicalError as error:
        yield Left("calls", source.file, source.line(function), str(error))
        return
    special = any(it["special"] for it in groups)
    what = f"mark {' and '.join(map(dims_of, groups))} in the calls"
    case = ZERO_ONE if special else VARYING
    yield Change("calls", case, source, line, what, replaced, proof="calls")


def _is_factory(scene: Scene, function: cst.FunctionDef) -> bool:
    return function.name.value == scene.factory and isinstance(
        scene.source.parents[function], cst.Module
    )


def _marked(
    scene: Scene, function: cst.FunctionDef, groups: Sequence[dict[str, Any]]
) -> tuple[int, dict[cst.CSTNode, Replacement]]:
    source = scene.source
    if not source.imports_torch():
        raise NotMechanicalError("the file does not import torch under its own name")
    marks = [mark for it in groups for mark in _marks(it, scene.shapes)]
    every = source.all(cst.Return, function)
    returns = [it for it in every if source.enclosing(it, cst.FunctionDef) is function]
    if len(returns) != 1:
        raise NotMechanicalError(f"{scene.factory}() returns at several places")
    value, line = returns[0].value, only_statement(source, returns[0])
    if line is None:
        raise NotMechanicalError(f"{scene.factory}() returns in a line with other statements")
    if not isinstance(value, cst.Tuple) or not _plain(value):
        raise NotMechanicalError(f"{scene.factory}() does not return its calls in one tuple")
    listed = value.elements[1].value
    if isinstance(listed, cst.Name):
        before, after = "", source.code(returns[0])
        over = listed.value
    else:
        fresh = _fresh(function, len(value.elements))
        before = f"{', '.join(fresh)} = {source.code(value)}"
        after, over = f"return {', '.join(fresh)}", fresh[1]
    body = "".join(f"    {it}\n" for it in marks)
    text = "\n".join(filter(None, [before, f"for call in {over}:\n{body}{after}"]))
    made = list(cst.parse_module(text).body)
    made[0] = made[0].with_changes(leading_lines=line.leading_lines)
    made[-1] = made[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    return source.line(returns[0]), {line: cst.FlattenSentinel(made)}


def _marks(group: dict[str, Any], shapes: dict[str, Any]) -> Iterator[str]:
    """The lines that mark a group's dims of `call`."""
    mark = PLACES[best_mark(group, shapes["graphs"])[0]]
    for path, dim in group["dims"]:
        place = _place(shapes["form"], path)
        told = f"{mark}({place}, {dim})"
        missing = path in group["optional"]
        yield f"if {place} is not None:\n        {told}" if missing else told


def _place(form: str, path: str) -> str:
    """The argument at `path` of a call, as the factory writes calls."""
    found = _PATH.fullmatch(path)
    if not form or not found:
        raise NotMechanicalError("its calls have several forms, or an argument inside of an object")
    if form == "tensor":
        return "call"
    number = found["first"].isdigit()
    first = f"[{found['first']}]" if number else f'["{found["first"]}"]'
    pair = ("[0]" if number else "[1]") if form == "pair" else ""
    return f"call{pair}{first}{found['rest']}"


def _plain(value: cst.Tuple) -> bool:
    plain = all(isinstance(it, cst.Element) for it in value.elements)
    return plain and len(value.elements) in (2, 3)


def _fresh(function: cst.FunctionDef, count: int) -> list[str]:
    """Names that the function does not use."""
    known = names(function)
    return [it if it not in known else f"{it}_" for it in _FRESH[:count]]
