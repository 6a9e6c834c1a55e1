"""Who called a function that compiles again, and whether the guard that failed is on its arguments.

A function that compiles twice within one call did so for two callers in that call. No argument of
the user's has changed in between.
"""

from __future__ import annotations

import ast
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from validators.inspector.graphs.causes import cause_of
from validators.probes import trace
from validators.probes.occurrences import recompile_occurrences
from validators.probes.told import reasons_of

_RESUMED = re.compile(r"torch_dynamo_resume_in_.+_at_(?P<line>\d+)$")
_SUBJECTS = (
    re.compile(r"L\['(\w+)'\]"),
    re.compile(r"tensor '(\w+)[^']*' "),
    re.compile(r"expected type of '(\w+)[^']*' "),
    re.compile(r"^(?:!?\d+/\d+: )?\s*(?:not |len\(|\w+\()*([a-zA-Z]\w*)"),
)
"""What a guard is on, as torch words it; the first that fits counts."""

_TORCH = f"{Path(torch.__file__).parent}{os.sep}"
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Occurrence = dict[str, Any]
Span = dict[str, Any]
"""A function: its file, its first and its last line."""


class Callers(logging.Handler):
    """Keeps the functions that led to each compilation that the structured trace tells, in order.

    The trace tells a stack as well, but leaves out the function that called.
    """

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.stacks: list[list[Span]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note who called; the logger calls this while Dynamo holds the caller up."""
        if "dynamo_start" in getattr(record, "metadata", {}):
            self.stacks.append(list(_stack()))


@contextmanager
def calling() -> Iterator[list[list[Span]]]:
    """Collect the callers of each compilation until the block ends, innermost first."""
    callers = Callers()
    logger = logging.getLogger("torch.__trace")
    logger.addHandler(callers)
    try:
        yield callers.stacks
    finally:
        logger.removeHandler(callers)


def _stack() -> Iterator[Span]:
    """The functions that run, without torch's."""
    frame: FrameType | None = sys._getframe(2)
    while frame:
        file = frame.f_code.co_filename
        if not file.startswith((_TORCH, logging.__file__)):
            first, last = span_of(file, frame.f_lineno)
            yield {"file": file, "first": first, "last": last}
        frame = frame.f_back


def recompiles_of(
    events: trace.Trace, own: tuple[str, str, int], begun: list[int], callers: list[list[Span]]
) -> Iterator[Occurrence]:
    """Each recompilation by itself, with its reasons.

    "argument" is the argument that its guard is on, and "own" says whether that is one of the
    target's own function, which has the name, the file and the line `own`. "same_call" says whether
    the call had compiled the function before; "callers" are the functions that led there, innermost
    first.
    """
    rest = [it for it in events.events if it.name != "recompile_reasons"]
    begins = events.named("dynamo_start")
    led = {it.compile_id: stack for it, stack in zip(begins, callers, strict=True)}
    for number, event in enumerate(events.events):
        if event.name != "recompile_reasons":
            continue
        alone = trace.Trace()
        alone.events = [*rest, event]
        for it in recompile_occurrences(alone, own):
            told = {**it, "reasons": reasons_of(event.payload)}
            yield {
                **told,
                "argument": argument_of(told),
                "own": _begins(told) == own[1:],
                "same_call": _compiled_before(event, events.events[_begin(begun, number) : number]),
                "callers": led[event.compile_id],
            }


def broken_callers(recompiles: list[Occurrence], breaks: list[Occurrence]) -> list[Occurrence]:
    """The recompilations with those callers alone in which a graph broke."""
    places = [(it["file"], it["line"]) for one in breaks for it in one["places"]]
    return [{**it, "callers": [*_with_a_place(it["callers"], places)]} for it in recompiles]


def _with_a_place(spans: list[Span], places: list[tuple[str, int]]) -> Iterator[Span]:
    for it in spans:
        if any(f == it["file"] and it["first"] <= line <= it["last"] for f, line in places):
            yield it


def _begin(begun: list[int], number: int) -> int:
    """How many events there were when the call began that made event `number`."""
    return max((it for it in begun if it <= number), default=0)


def _compiled_before(again: trace.Event, events: Iterable[trace.Event]) -> bool:
    """Whether one of the events began to compile the function that compiles again."""
    frame = again.compile_id.partition("/")[0]
    others = (it.compile_id for it in events if it.name == "dynamo_start")
    return any(it != again.compile_id and it.partition("/")[0] == frame for it in others)


def argument_of(again: Occurrence) -> str:
    """The argument that a recompilation's guard is on, "" if it is on another value.

    `again` has the function, its file and line, and the reasons. Of a function that resumes after
    a graph break, the arguments are those of the function that broke.
    """
    guard = cause_of(again["reasons"]).partition("\n")[0]
    subject = next((found[1] for it in _SUBJECTS if (found := it.search(guard))), "")
    return subject if subject in _arguments(_function_of(again)) else ""


def _begins(again: Occurrence) -> tuple[str, int]:
    """The file and the first line of the function that compiles again, or that broke before it."""
    function = _function_of(again)
    return again["file"], _first(function) if function else again["line"]


def _function_of(again: Occurrence) -> Function | None:
    resumed = _RESUMED.match(again["function"])
    return _function_at(again["file"], int(resumed["line"]) if resumed else again["line"])


def span_of(file: str, line: int) -> tuple[int, int]:
    """The first and the last line of the function that has a line; the line itself without one."""
    function = _function_at(file, line)
    return (function.lineno, function.end_lineno or line) if function else (line, line)


def _arguments(function: Function | None) -> set[str]:
    given = function.args if function else ast.arguments([], [], None, [], [], None, [])
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {it.arg for it in every if it}


def _function_at(file: str, line: int) -> Function | None:
    """The innermost function that has a line; a decorator counts as a line of its function."""
    around = [it for it in _functions(file) if _first(it) <= line <= (it.end_lineno or line)]
    return max(around, key=_first, default=None)


def _first(function: Function) -> int:
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    return min([function.lineno, *(it.lineno for it in decorators)])


@lru_cache(maxsize=100)
def _functions(file: str) -> list[Function]:
    """The functions of a file, none if it cannot be read as Python."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8", errors="replace"))
    except (OSError, SyntaxError, ValueError):
        return []
    return [it for it in ast.walk(tree) if isinstance(it, Function)]
