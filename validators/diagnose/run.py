"""Run the parts of a diagnosis, each in a process of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from validators.diagnose.asking import Asking, ask_all
from validators.diagnose.explain import Explainer
from validators.diagnose.findings import Diagnosis, Finding, Part, in_order
from validators.diagnose.masking import masked, masked_struct
from validators.diagnose.parts import OF_PART, of_suspicions
from validators.diagnose.spec import Spec
from validators.diagnose.static import suspicions
from validators.environment import Environment
from validators.errors import CasebookError

STATIC = "static"
PARTS = (STATIC, *OF_PART)
"""All parts of a diagnosis."""
_STAGES = (("breaks", "latency"), ("results", "shapes"), ("gain",))
"""What runs beside what: counts do not mind, and times of steps need the machine for themselves.

`results` and `gain` find in a cache what `latency` has compiled.
"""
Listener = Callable[[Part], None]


@dataclass(frozen=True)
class Plan:
    """What to diagnose, and how: the parts, the options of `torch.compile`, seconds for a part."""

    spec: Spec
    parts: Sequence[str]
    options: dict[str, Any]
    timeout: float


def diagnosed(plan: Plan, env: Environment, explainer: Explainer, listener: Listener) -> Diagnosis:
    """The diagnosis of a target in the interpreter `env`; `listener` hears of each part that ends.

    Raises:
        CasebookError: the target cannot be used.
    """
    parts: list[Part] = []
    findings: list[Finding] = []

    def told(part: Part) -> None:
        parts.append(part)
        listener(part)

    if STATIC in plan.parts and plan.spec.file:
        begun = time.monotonic()
        found = of_suspicions(suspicions(plan.spec.file), explainer)
        findings += found
        told(Part(STATIC, time.monotonic() - begun, "", {"suspicions": len(found)}))
    ask_all(env, plan.options, plan.timeout, lambda asking: _run(plan, asking, told))
    for part in parts:
        if part.name in OF_PART and not part.failure:
            findings += OF_PART[part.name](part.measured, explainer)
    known = next((it.measured for it in parts if "calls" in it.measured), {})
    diagnosis = Diagnosis(
        target=str(plan.spec),
        torch=env.fingerprint.torch,
        python=env.fingerprint.python,
        column=env.column,
        calls=known.get("calls", 0),
        trains=known.get("trains", False),
        findings=in_order(_merged(_distinct(findings))),
        parts=parts,
    )
    without_names: Diagnosis = masked_struct(diagnosis, plan.spec.folder)
    return without_names


async def _run(plan: Plan, asking: Asking, told: Listener) -> None:
    async def run(name: str) -> None:
        done = await asking.ask(plan.spec, name)
        told(Part(name, done.seconds, masked(done.failure, plan.spec.folder), done.result))

    for stage in _STAGES:
        try:
            async with asyncio.TaskGroup() as group:
                for name in stage:
                    if name in plan.parts:
                        group.create_task(run(name))
        except* CasebookError as errors:
            raise errors.exceptions[0] from None


def _distinct(findings: list[Finding]) -> list[Finding]:
    """The findings without repetitions: parts may see the same crash, and a run what is suspected.

    A suspicion goes where a run found the same line.
    """
    seen: set[tuple[str, str, str]] = set()
    ran = {str(it.place) for it in findings if it.kind != "static" and it.place}
    kept = []
    for it in findings:
        key = (it.kind, str(it.place), it.text or it.what)
        if key in seen or (it.kind == "static" and str(it.place) in ran):
            continue
        seen.add(key)
        kept.append(it)
    return kept


def _merged(findings: list[Finding]) -> list[Finding]:
    """The findings with the dims that vary told where functions compile again for them."""
    dims = [it for it in findings if it.kind == "dynamic_dim"]
    sizes = (
        [it for it in findings if it.kind == "recompile" and it.explanation == dims[0].explanation]
        if dims
        else []
    )
    if not sizes:
        return findings
    said = "; ".join([sizes[0].cost, *(f"{it.what}: {it.cost}" for it in dims)])
    told = structs.replace(sizes[0], cost=said)
    return [told if it is sizes[0] else it for it in findings if it not in dims]
