"""How many parts of graphs CUDA graphs record, by torch's log."""

from __future__ import annotations

import logging

from tests.validators.probes.arms import ones
from validators.probes import graph_partitions

SAID = (
    "Created 3 graph partitions: 2 cudagraphable, 1 non-cudagraphable",
    "  Partition 0: 1 nodes, cudagraphable, inputs=1, outputs=1",
    "    op1: reason=cpu ops, ir=DeviceCopy, fx=prims.device_put.default(add, cpu)",
    "Created 1 graph partitions: 1 cudagraphable, 0 non-cudagraphable",
)


def test_partitions_of_all_graphs_are_counted() -> None:
    """Lines about one partition or one op add nothing."""
    log = logging.getLogger("torch._inductor.scheduler.__cudagraphs")

    def run(x):
        for line in SAID:
            log.debug(line)
        return x

    report = graph_partitions(run, [(ones(2),)], compile=lambda it: it, eager=True)
    # One more call of the function tells what is dispatched.
    assert report.facts["recorded"] == 2 * 3 and report.facts["between"] == 2 * 1


def test_graphs_on_the_cpu_have_none() -> None:
    """Torch says nothing about them."""
    report = graph_partitions(lambda x: x.sin() + 1, [(ones(2),)], backend="inductor")
    assert report.facts["recorded"] == report.facts["between"] == 0
