"""What compiling for a GPU adds to a diagnosis: skipped CUDA graphs and spilled registers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec

from validators.compiled.results import Compiled
from validators.compiled.run import Order, compiled_for
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Diagnosis, Explanation, Finding, Part, in_order
from validators.diagnose.findings.words import place_of, short
from validators.diagnose.parts import cudagraph
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError

PART = "kernels"
_FOUND = re.compile(r"\.? Found from\b")
_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
"""Where torch says that a reason comes from."""


def with_kernels(
    diagnosis: Diagnosis,
    spec: Spec,
    order: Order,
    env: Environment,
    explainer: Explainer,
    ended: Callable[[Part], None] = lambda _: None,
) -> Diagnosis:
    """The diagnosis with a part about what its target is compiled to for the board of `env`.

    What cannot be compiled costs this part alone.
    """
    since, failure, found = time.monotonic(), "", None
    try:
        (found,) = compiled_for(order, env, [spec])
    except CasebookError as error:
        failure = str(error)
    measured = _without_sources(found) if found else {}
    part = Part(PART, time.monotonic() - since, failure, measured)
    ended(part)
    new = list(of_kernels(found, explainer)) if found else []
    return replace(
        diagnosis,
        findings=list(in_order([*diagnosis.findings, *new])),
        parts=[*diagnosis.parts, part],
    )


def of_kernels(found: Compiled, explainer: Explainer) -> Iterator[Finding]:
    """A finding for each reason to skip CUDA graphs, and for each kernel that spills registers."""
    where = f"compiled for {found.arch}, never run"
    for reason, count in found.skips.items():
        known = explainer.of_text(reason, "skip")
        place = place_of(it["file"], int(it["line"])) if (it := _FRAME.search(reason)) else None
        told = short(reason.replace("\\n", "\n"))
        skip = cudagraph(_FOUND.split(reason)[0], where, known, count)
        yield replace(skip, place=place, text=told)
    for kernel in (kernel for graph in found.compiled for kernel in graph.kernels):
        spilled = [it.spills for it in kernel.configurations]
        # Of several configurations a clock chooses one, and it may choose one that spills none.
        if spilled and min(spilled) > 0:
            yield Finding(
                kind="spills",
                what=f"{kernel.name} spills {min(spilled)} words of registers",
                cost=where,
                explanation=Explanation("unknown", "registers spilled to memory"),
                count=kernel.launches,
                weight=float(min(spilled)),
            )


def _without_sources(found: Compiled) -> dict[str, Any]:
    """Plain data without the code of the kernels, which `kernels --source` shows."""
    told: dict[str, Any] = msgspec.to_builtins(found)
    for graph in told["compiled"]:
        for kernel in graph["kernels"]:
            kernel["source"] = ""
    return told
