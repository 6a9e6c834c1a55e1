"""What compiled code costs, in counts that repeat themselves; no clock is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

from torch._inductor import config
from torch._inductor.graph import GraphLowering
from torch._inductor.scheduler import NopKernelSchedulerNode


def cost_of(run: Callable[[], object]) -> list[int]:
    """What Inductor compiles while `run` runs: its graphs, its kernels, and the bytes they move.

    A graph counts once for each compilation, and its backward is one more. Kernels are fused loops
    and calls of library functions. Bytes are what they read and write, as Inductor counts them.
    """
    counts: list[tuple[int, int]] = []
    real = GraphLowering.codegen

    def codegen(graph: Any) -> Any:
        made = real(graph)
        nodes = graph.scheduler.nodes
        kernels = sum(not isinstance(node, NopKernelSchedulerNode) for node in nodes)
        counts.append((kernels, int(graph.count_bytes()[0])))
        return made

    # Code from a cache is not made again.
    with (
        config.patch(force_disable_caches=True),
        mock.patch.object(GraphLowering, "codegen", codegen),
    ):
        run()
    return [len(counts), sum(kernels for kernels, _ in counts), sum(size for _, size in counts)]
