"""What code Inductor made, and which ops are still dispatched when it runs."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch._inductor.async_compile import AsyncCompile
from torch._inductor.graph import GraphLowering

from validators.probes.arguments import Arguments, as_arguments
from validators.probes.audit import auditing
from validators.probes.observation import observed
from validators.probes.report import Fact, Report

# The generated code holds the sources of kernels as strings; the rest of it calls them.
_SOURCES = re.compile(r"'''.*?'''", re.DOTALL)
_KERNEL = re.compile(r"^\s+(?:(cpp_\w+)|(triton_\w+)\.run)\(", re.MULTILINE)
_EXTERN = re.compile(r"\b(?:extern_kernels|torch\.ops)\.([\w.]+)\(")


def inductor_code(
    target: Callable[..., Any],
    calls: Iterable[Sequence[Any] | Arguments],
    **options: Any,
) -> Report:
    """Observe `calls` under Inductor, and add what its generated code launches.

    `options` are `observe`'s; the default `backend` is Inductor. Facts:
    - "kernels": the names of the generated kernels that the code of all graphs launches, in order;
    - "externs": the library functions that it calls instead ("addmm");
    - "dispatched": how often each op went through PyTorch's dispatcher in one more call like the
      last. Ops that other ops call are left out, and fused ops are not dispatched.

    A report that holds an exception, or is an audit's, has none of the three.
    """
    items = [as_arguments(given) for given in calls]
    with _generated() as codes:
        report, made = observed(target, items, {"backend": "inductor", **options})
    if report.exception is not None or auditing():
        return report
    facts: dict[str, Fact] = {
        "kernels": [name for code in codes for name in launched(code)],
        "externs": [name for code in codes for name in called(code)],
        "dispatched": dispatched(made[-1], items[-1]),
    }
    return dataclasses.replace(report, facts={**report.facts, **facts})


@contextmanager
def kernels_not_built() -> Iterator[None]:
    """Have Inductor generate C++ kernels but not build them; do not run what it compiles here."""
    with patch.object(AsyncCompile, "cpp_pybinding", lambda *_: None):
        yield


def launched(code: str) -> list[str]:
    """The kernels that generated code launches, in order; one launched twice is listed twice."""
    return [cpp or triton for cpp, triton in _KERNEL.findall(_SOURCES.sub("", code))]


def called(code: str) -> list[str]:
    """The library functions that generated code calls, in order."""
    return _EXTERN.findall(_SOURCES.sub("", code))


def dispatched(function: Callable[..., Any], item: Arguments) -> dict[str, Any]:
    """How often each op went through the dispatcher, outermost ones only, during one call."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        function(*item.args, **item.kwargs)
    events = profile.events() or ()
    return dict(Counter(event.name for event in events if _op(event) and not _within(event)))


def _op(event: Any) -> bool:
    return re.fullmatch(r"\w+::\w+", event.name) is not None


def _within(event: Any) -> bool:
    """Whether an op called this one."""
    parent = event.cpu_parent
    return parent is not None and (_op(parent) or _within(parent))


@contextmanager
def _generated() -> Iterator[list[str]]:
    """The code of every graph that Inductor compiles, or finds in its cache, within the block."""
    codes: list[str] = []
    before = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(codes.append)
    try:
        yield codes
    finally:
        GraphLowering.save_output_code = before
