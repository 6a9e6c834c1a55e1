"""Graph breaks that a release leaves out of its structured trace: all before 2.6, some before 2.11.

Each is reported in the words of later releases' traces, and only if the trace leaves it out.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from traceback import FrameSummary
from types import CodeType
from typing import Any

import torch
from torch._dynamo import convert_frame, exc
from torch._dynamo.output_graph import GraphCompileReason, OutputGraph
from torch._guards import CompileContext

from validators.probes.breaks import break_ids
from validators.probes.switches import replaced

Tell = Callable[[str, str, bool], None]
"""Gets a compile id, a payload, and whether the frame was skipped."""

TRACED = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 11)
_PLACE = re.compile(r"<FrameSummary file (.+), line (\d+) in ")


@contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """Report every graph break until the block ends; none if the release traces them all."""
    with ExitStack() as stack:
        if not TRACED:
            for hook in (_partial_graphs, _skipped_frames, _loops):
                stack.enter_context(hook(tell))
        yield


def registered_id(type_: str) -> str:
    """The id that torch's own registry gives a break's type, else ""."""
    link = getattr(exc, "get_gbid_documentation_link", lambda _type: None)(type_)
    return "".join(break_ids(link or "")[:1])


@contextmanager
def _partial_graphs(tell: Tell) -> Iterator[None]:
    """Report graphs that end before their frame does: each ends at a break."""
    init, compile_ = exc.Unsupported.__init__, OutputGraph.compile_subgraph
    # Keep the text only: an exception that is kept alive keeps the user's objects alive.
    last: dict[str, tuple[str, Sequence[FrameSummary]]] = {}

    def remember(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        last[_current()] = self.msg, self.real_stack

    def compile_subgraph(self: Any, *args: Any, **kwargs: Any) -> Any:
        reasons = [it for it in (*args, *kwargs.values()) if isinstance(it, GraphCompileReason)]
        for reason in reasons:
            if reason.graph_break:
                tell(_current(), _partial(reason, last.get(_current())), False)
        return compile_(self, *args, **kwargs)

    with (
        replaced(exc.Unsupported, "__init__", remember),
        replaced(OutputGraph, "compile_subgraph", compile_subgraph),
    ):
        yield


def _partial(reason: Any, last: tuple[str, Sequence[FrameSummary]] | None) -> str:
    """What ended a graph; if its frame cannot be resumed, only the exception says so."""
    if reason.reason == "step_unsupported" and last is not None:
        message, stack = last
        return _payload(message, stack or reason.user_stack)
    return _payload(reason.reason, reason.user_stack)


@contextmanager
def _skipped_frames(tell: Tell) -> Iterator[None]:
    """Report frames that fail with a break and run eagerly, not failures that the user sees."""
    inner, outer = convert_frame.ConvertFrameAssert.__call__, convert_frame.ConvertFrame.__call__
    failures: list[tuple[str, str]] = []

    def fail(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return inner(self, *args, **kwargs)
        except exc.Unsupported as error:
            # At the recompile limit, the frame's content is not the reason.
            if "limit reached" not in error.msg:
                stack = getattr(error, "real_stack", None) or [_first_line(args[0].f_code)]
                failures.append((str(getattr(error, "compile_id", "")), _payload(error.msg, stack)))
            raise

    def skip(self: Any, *args: Any, **kwargs: Any) -> Any:
        failures.clear()
        result = outer(self, *args, **kwargs)
        for compile_id, payload in failures:
            tell(compile_id, payload, True)
        return result

    with (
        replaced(convert_frame.ConvertFrameAssert, "__call__", fail),
        replaced(convert_frame.ConvertFrame, "__call__", skip),
    ):
        yield


def _loops(tell: Tell) -> AbstractContextManager[None]:
    """Report frames that Dynamo skips, without a failure, because they break in a loop."""
    real = convert_frame.transform_code_object

    def transform_code_object(*args: Any, **kwargs: Any) -> Any:
        try:
            return real(*args, **kwargs)
        except exc.SkipFrame as error:
            if "graph break in a for/while loop" in str(error):
                cause, place = error.__cause__, _PLACE.search(str(error))
                here = [FrameSummary(place[1], int(place[2]), "")] if place else []
                reason = getattr(cause, "msg", "graph break in a for/while loop")
                tell(_current(), _payload(reason, getattr(cause, "real_stack", None) or here), True)
            raise

    return replaced(convert_frame, "transform_code_object", transform_code_object)


def _current() -> str:
    known = CompileContext.current_compile_id()
    return "" if known is None else str(known)


def _first_line(code: CodeType) -> FrameSummary:
    return FrameSummary(code.co_filename, code.co_firstlineno, code.co_name)


def _payload(reason: str, frames: Sequence[FrameSummary]) -> str:
    place = f" in user code at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    told = "".join(traceback.format_list(frames))
    return f"Graph break{place}\nGraph Break Reason: {reason}\nUser code traceback:\n{told}"
