"""What a verdict is worth where arms compiled for a GPU that is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from validators.catalog import Case
from validators.catalog.proof import read_proof
from validators.evidence.readings import names_read
from validators.runner.arms import Arms
from validators.runner.verdict import Ruling, caught_facts
from validators.verdicts import ARMS

LAUNCHES = "the launch configuration of a kernel"
"""What a clock chooses in almost every graph; no probe reports it."""
_TRACING = ("torch._dynamo.exc.", "torch.fx.experimental.symbolic_shapes.")
"""How the types of exceptions begin that torch raises while it traces, before any backend."""
_BACKEND = (
    "torch._dynamo.exc.BackendCompilerFailed",
    "torch._inductor.",
    "torch.OutOfMemoryError",
    "triton.",
    "Backend compiler",
)
"""How the types of exceptions and graph breaks begin that a backend causes."""


def without_gpu(ruling: Ruling, arms: Arms, case: Case) -> Ruling:
    """The ruling, or "undecided" if it rests on what only a GPU has."""
    reason = next(_open(ruling, arms, case), "")
    return Ruling("undecided", reason, {}) if reason else ruling


def _open(ruling: Ruling, arms: Arms, case: Case) -> Iterator[str]:
    for it in arms.invented:
        if it["what"] != LAUNCHES:
            yield f"only a GPU knows: {it['what']} ({it['kind']})"
    for pair in arms.pairs:
        for arm in ARMS:
            yield from _broken(arm, pair[arm])
    if ruling.verdict == "refuted" and _reads_exception(case):
        yield "the symptom raised nothing, but nothing ran on a GPU"


def _reads_exception(case: Case) -> bool:
    """Whether `shows` reads an exception that may come when something runs, after tracing."""
    return case.meta.compiled != "tracing" and "exception" in names_read(read_proof(case.proof))


def _broken(arm: str, report: Mapping[str, Any]) -> Iterator[str]:
    """What a backend, or code that ran without a GPU, raised in an arm."""
    caught = report["exception"]
    if caught and (caught["type"].startswith(_BACKEND) or not caught["type"].startswith(_TRACING)):
        kind = caught["type"].rpartition(".")[2]
        first = (caught["message"].splitlines() or [""])[0]
        yield f"the {arm} raised {kind} without a GPU; one may not: {first}"
    swallowed = [kind for kind, _ in caught_facts(report)]
    for it in (*(it["type"] for it in report["graph_breaks"]), *swallowed):
        if str(it).startswith(_BACKEND):
            yield f"the {arm} goes on after its backend raised without a GPU; one may not"
