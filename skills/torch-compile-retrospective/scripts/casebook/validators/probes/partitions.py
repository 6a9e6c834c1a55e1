"""How Inductor splits a graph into parts that CUDA graphs record."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from validators.probes.arguments import Arguments
from validators.probes.capture import captured_log
from validators.probes.inductor import inductor_code
from validators.probes.report import Report

_LOG = "torch._inductor.scheduler.__cudagraphs"
_CREATED = re.compile(r"^Created \d+ graph partitions: (\d+) cudagraphable, (\d+) non-cudag")


def graph_partitions(
    target: Callable[..., Any],
    calls: Iterable[Sequence[Any] | Arguments],
    **options: Any,
) -> Report:
    """Observe `calls` as `inductor_code` does, and add the partitions of all graphs.

    Torch's log counts them, where CUDA graphs are on and a graph is on a GPU. Facts: "recorded"
    (partitions for CUDA graphs) and "between" (the others).
    """
    with captured_log(_LOG) as messages:
        report = inductor_code(target, calls, **options)
    said = [found for it in messages if (found := _CREATED.match(it))]
    counts = {"recorded": sum(int(it[1]) for it in said), "between": sum(int(it[2]) for it in said)}
    return dataclasses.replace(report, facts={**report.facts, **counts})
