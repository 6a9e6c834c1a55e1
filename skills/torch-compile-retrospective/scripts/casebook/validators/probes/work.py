"""How much there was to compile: ops behind AOTAutograd, nodes and fusion checks in Inductor."""

from __future__ import annotations

import dataclasses
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from torch._inductor.scheduler import Scheduler

from validators.probes.arguments import Arguments
from validators.probes.audit import auditing
from validators.probes.observation import observe
from validators.probes.report import Report

_FORWARD = ("aot_forward_graph", "aot_inference_graph")
_BACKWARD = "aot_backward_graph"
# A printed graph has one line for each node, and includes the regions within it.
_OP = re.compile(r'^\s+\w+(?:: "[^"]*")? = torch\.ops\.', re.MULTILINE)
_REGION = "torch.ops.higher_order.invoke_subgraph("


def compile_work(
    target: Callable[..., Any], calls: Iterable[Sequence[Any] | Arguments], **options: Any
) -> Report:
    """Observe `calls`, and add how much AOTAutograd and Inductor's scheduler had to do.

    `options` are `observe`'s. These facts are lists with one entry for every graph:
    - "forward_ops" and "backward_ops": the ops of the graphs that AOTAutograd gave to its
      compilers; both lists are empty under a backend without AOTAutograd;
    - "regions": how often a forward graph calls a nested compile region;
    - "scheduled": how many nodes Inductor's scheduler got;
    - "fusion_checks": how often it asked whether two of them may be fused.

    The fact "aot_ops" is the sum of the first two. A call of a region counts as an op, in addition
    to the region's own ops. A graph that Inductor finds in its cache has no entry in the last two
    lists. A report that holds an exception, or is an audit's, has none of the facts.
    """
    work = _Work()
    with _graphs(work), _scheduling(work):
        report = observe(target, calls, **options)
    if report.exception is not None or auditing():
        return report
    total = {"aot_ops": sum(work.forward_ops) + sum(work.backward_ops)}
    return dataclasses.replace(report, facts={**report.facts, **dataclasses.asdict(work), **total})


@dataclass
class _Work:
    """The facts, collected graph by graph."""

    forward_ops: list[int] = field(default_factory=list)
    backward_ops: list[int] = field(default_factory=list)
    regions: list[int] = field(default_factory=list)
    scheduled: list[int] = field(default_factory=list)
    fusion_checks: list[int] = field(default_factory=list)


class _Graphs(logging.Handler):
    """Counts the ops of the graphs that AOTAutograd writes to the structured trace."""

    def __init__(self, work: _Work) -> None:
        super().__init__(logging.DEBUG)
        self.work = work

    def emit(self, record: logging.LogRecord) -> None:
        """Count one record; called by the logger."""
        metadata = getattr(record, "metadata", {})
        code = str(getattr(record, "payload", None) or "")
        if any(name in metadata for name in _FORWARD):
            self.work.forward_ops.append(ops(code))
            self.work.regions.append(code.count(_REGION))
        if _BACKWARD in metadata:
            self.work.backward_ops.append(ops(code))


def ops(code: str) -> int:
    """The ops in the printed code of a graph and of the regions that it holds."""
    return len(_OP.findall(code))


@contextmanager
def _graphs(work: _Work) -> Iterator[None]:
    logger, handler = logging.getLogger("torch.__trace"), _Graphs(work)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextmanager
def _scheduling(work: _Work) -> Iterator[None]:
    """Count the nodes that every scheduler gets, and its checks of what may be fused."""
    fuse, can_fuse = Scheduler.fuse_nodes, Scheduler.can_fuse

    def fuse_nodes(scheduler: Any, nodes: list[Any]) -> Any:
        work.scheduled.append(len(nodes))
        work.fusion_checks.append(0)
        return fuse(scheduler, nodes)

    def asked(scheduler: Any, *args: Any, **kwargs: Any) -> Any:
        # A check before the first fusing would belong to no graph.
        if work.fusion_checks:
            work.fusion_checks[-1] += 1
        return can_fuse(scheduler, *args, **kwargs)

    Scheduler.fuse_nodes, Scheduler.can_fuse = fuse_nodes, asked
    try:
        yield
    finally:
        Scheduler.fuse_nodes, Scheduler.can_fuse = fuse, can_fuse
