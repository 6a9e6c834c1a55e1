"""The op for which a backend refuses a graph: torch names the line where the graph ends."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch._guards import CompileContext

from validators.probes import places
from validators.probes.trace import Trace

_INTERPRETER = "torch/fx/interpreter.py"
_IN_BACKWARD = "Traceback of forward call that caused the error:"
"""How autograd tells of the op whose backward pass raises."""
_REFUSED = "ackend compiler"
"""Words of a break at which a backend refuses a graph."""

Occurrence = dict[str, Any]


class Refusals:
    """Notes, for each graph that a backend refuses, the stack of the op that it was at."""

    def __init__(self) -> None:
        self._stacks: dict[str, str] = {}

    def noting(self, backend: Callable[..., Any]) -> Callable[..., Any]:
        """`backend`, whose exceptions are noted."""

        def run(graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            with warnings.catch_warnings(record=True) as said:
                try:
                    return backend(graph, inputs)
                except Exception as error:
                    told = (str(it.message) for it in said if _IN_BACKWARD in str(it.message))
                    stack = _stack_at(error) or next(told, "").partition(_IN_BACKWARD)[2]
                    self._stacks[str(CompileContext.current_compile_id())] = stack
                    raise

        return run

    def placed(self, occurrences: list[Occurrence], events: Trace) -> list[Occurrence]:
        """The occurrences of graph breaks, those of refused graphs at the op's line first."""
        for event in events.named("dynamo_graph_break_reason"):
            stack = self._stacks.get(event.compile_id, "")
            told = [{"file": file, "line": int(line)} for file, line in places.frames(stack)]
            for it in occurrences:
                ends = it["places"][0] if it["places"] else {}
                named = ends and f'File "{ends["file"]}", line {ends["line"]}' in event.payload
                own = [at for at in told if at["file"] in {place["file"] for place in it["places"]}]
                if named and _REFUSED in it["text"] and own:
                    it["places"] = [*own[:1], *(at for at in it["places"][1:] if at != own[0])]
        return occurrences


def _stack_at(error: Exception) -> str:
    """The stack of the user's code for the op that an interpreter of the graph was at."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename.endswith(_INTERPRETER) and "node" in frame.f_locals:
            return str(getattr(frame.f_locals["node"], "stack_trace", None) or "")
    return ""
