"""Run the parts of a diagnosis, each in a process of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.explaining.tried_marks import with_marks
from validators.diagnose.findings.excerpts import with_excerpt
from validators.diagnose.findings.finding import Belief, Diagnosis, Finding, Part, in_order
from validators.diagnose.findings.words import Found
from validators.diagnose.fix.trials import tried
from validators.diagnose.from_recording import recorded_part
from validators.diagnose.masking.mask import masked
from validators.diagnose.parts import OF_PART, of_beliefs, of_suspicions
from validators.diagnose.recording.recorded import read_recording
from validators.diagnose.static.reachable import used
from validators.diagnose.static.source import beliefs, sources_of, suspicions
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.inspector.values.distances import is_wrong
from validators.runner.processes.event_loop import together

STATIC = "static"
PARTS = (STATIC, *OF_PART)
"""All parts of a diagnosis."""
QUICK = (STATIC, "breaks")
"""Those that time nothing."""
WHOLE = "whole"
"""What `latency` needs of the whole model; the first call of `results` tells it as well."""
LOCATED = "located"
"""What traces a wrong result that `results` finds."""
CUDAGRAPHS, ABLATION = "cudagraphs", "ablation"
_CUT_SHORT = "was interrupted"
_LANES = 2
_TOGETHER = ("results", WHOLE, "breaks", "latency", "shapes", "guards")
"""What runs in so many lanes, the longest first: counts and CPU seconds do not mind."""
_ALONE = ("gain", CUDAGRAPHS, ABLATION)
"""What needs the machine for itself. `gain` finds in a cache what `results` has compiled."""

Answer = TypeVar("Answer")
Begun = Callable[[str], None]
Listener = Callable[[Part], None]


@dataclass(frozen=True)
class Plan:
    """What to diagnose, and how: the parts, the options of `torch.compile`, seconds for a part.

    `trace` is the folder that keeps the structured trace of the part `breaks`, "" for none.
    `shaping` is what the worker is told of the switches that shape the calls and the parts. With
    `locate`, a wrong result is traced to what makes it.
    """

    spec: Spec
    parts: Sequence[str]
    options: dict[str, Any]
    timeout: float
    trace: str = ""
    shaping: dict[str, Any] = field(default_factory=dict)
    locate: bool = False


def diagnosed(
    plan: Plan,
    env: Environment,
    explainer: Explainer,
    listener: Listener,
    begun: Begun = lambda _: None,
) -> Diagnosis:
    """The diagnosis of a target by workers of its own; else as `diagnosed_by`."""
    with Session(env, plan.options, plan.timeout) as session:
        return diagnosed_by(session, plan, env, explainer, listener, begun)


def diagnosed_by(
    session: Session,
    plan: Plan,
    env: Environment,
    explainer: Explainer,
    listener: Listener,
    begun: Begun = lambda _: None,
) -> Diagnosis:
    """The diagnosis of a target in the interpreter `env`; `listener` hears of each part that ends.

    `begun` hears the name of each part that a process begins.

    An interrupt from the keyboard ends it with the parts that have ended.

    Raises:
        CasebookError: the target cannot be used.
        KeyboardInterrupt: no part had ended.
    """
    parts: list[Part] = []
    findings: list[Finding] = []
    acquitted: list[Belief] = []

    def told(part: Part) -> None:
        parts.append(part)
        if part.name not in (WHOLE, LOCATED):
            listener(part)

    if STATIC in plan.parts and plan.spec.file:
        part, findings, acquitted = _read(plan.spec.file, plan.spec.factory, explainer)
        told(part)
    with tempfile.TemporaryDirectory() as folder:
        plan = replace(plan, trace=plan.trace or folder)
        whole = _unless_interrupted(
            lambda: session.ask(lambda it: _run(plan, it, begun, told)) or True, False
        )
        if not whole:
            if not any(it.name in OF_PART for it in parts):
                raise KeyboardInterrupt
            ended = {it.name for it in parts}
            parts += [Part(it, 0.0, _CUT_SHORT, {}) for it in plan.parts if it not in ended]
        recorded, rescued = _rescued(parts, Path(plan.trace), explainer)
    parts = [*_in_order(parts), *recorded]
    findings += rescued
    for part in parts:
        if part.name in OF_PART and not part.failure:
            findings += OF_PART[part.name](part.measured, explainer)
    shapes = [it.measured for it in parts if _varied(it)]
    findings = with_marks(_distinct(findings), shapes, explainer)
    counted = next((it for it in parts if it.name == "breaks" and not it.failure), None)
    if plan.locate and counted and whole:
        measured, untried = counted.measured, findings
        findings = _unless_interrupted(
            lambda: session.ask(
                lambda asking: tried(asking, plan.spec, plan.shaping, measured, untried)
            ),
            untried,
        )
    known = next((it.measured for it in parts if "calls" in it.measured), {})
    diagnosis = Diagnosis(
        target=str(plan.spec),
        torch=env.fingerprint.torch,
        python=env.fingerprint.python,
        column=env.column,
        calls=known.get("calls", 0),
        trains=known.get("trains", False),
        findings=[with_excerpt(it) for it in in_order(findings)],
        parts=parts,
        beliefs=acquitted,
    )
    without_names: Diagnosis = masked(diagnosis, plan.spec.folder)
    return without_names


def _unless_interrupted(work: Callable[[], Answer], otherwise: Answer) -> Answer:
    """What `work` returns, or something else if it is interrupted from the keyboard."""
    try:
        return work()
    except KeyboardInterrupt:
        return otherwise


def _read(
    file: Path, factory: str, explainer: Explainer
) -> tuple[Part, list[Finding], list[Belief]]:
    """What the source of a target tells."""
    since = time.monotonic()
    sources = sources_of(file)
    reached = used(sources, file, factory)
    found = of_suspicions(suspicions(sources, reached), explainer)
    acquitted = of_beliefs(beliefs(reached), explainer)
    part = Part(STATIC, time.monotonic() - since, "", {"suspicions": len(found)})
    return part, found, acquitted


def _varied(part: Part) -> bool:
    """Whether a part tried what marks do to sizes that vary, or says why it did not."""
    found = part.measured
    return part.name == "shapes" and bool(found.get("varying") or found.get("withheld"))


async def _run(plan: Plan, asking: Asking, begun: Begun, told: Listener) -> None:
    wanted = {*plan.parts}
    if "latency" in wanted and "results" not in wanted:
        wanted.add(WHOLE)
    blocks = "latency" in wanted and not plan.shaping.get("every_size")
    more = {"shaping": {**plan.shaping, "blocks": blocks, "seconds": asking.timeout}}
    wrong: list[int] = []
    ended: dict[str, Found] = {}

    async def run(names: Iterator[str]) -> None:
        for name in names:
            begun(name)
            trace = plan.trace if name == "breaks" else ""
            done = await asking.ask(plan.spec, name, trace=trace, more=more)
            told(Part(name, done.seconds, masked(done.failure, plan.spec.folder), done.result))
            ended[name] = {} if done.failure else done.result
            if name == "results" and plan.locate:
                wrong.extend(
                    it["call"] for it in done.result.get("differences", []) if is_wrong(it)
                )

    # Each lane takes what no other has taken.
    shared = (it for it in _TOGETHER if it in wanted)
    await together(*(run(shared) for _ in range(_LANES)))
    if refused := _refused_by_aot_eager(ended):
        begun("breaks")
        told(await _counted_eagerly(plan, asking, more, refused))
    if wrong:
        more = {"shaping": {**plan.shaping, "wrong": wrong[0], "seconds": asking.timeout}}
        await run(iter([LOCATED]))
    await run(it for it in _ALONE if it in wanted)


def _refused_by_aot_eager(ended: Mapping[str, Found]) -> str:
    """What the backend of `breaks` raises, and Inductor, which `results` asks, does not."""
    counted, compared = ended.get("breaks", {}), ended.get("results", {})
    if not counted.get("raised") or not compared or compared["raised"]:
        return ""
    return str(counted["raised"]["type"]) if counted["backend"] == "aot_eager" else ""


async def _counted_eagerly(plan: Plan, asking: Asking, more: Found, refused: str) -> Part:
    """The part `breaks` without AOTAutograd: a crash hides what the calls after it meet."""
    kept = {key: it for key, it in asking.options.items() if key not in ("mode", "options")}
    told = {**more, "compile": {**kept, "backend": "eager"}}
    done = await asking.ask(plan.spec, "breaks", more=told)
    failure = masked(done.failure, plan.spec.folder)
    return Part("breaks", done.seconds, failure, {**done.result, "refused": refused})


def _rescued(
    parts: list[Part], trace: Path, explainer: Explainer
) -> tuple[list[Part], list[Finding]]:
    """What the part `breaks` wrote before its time was over or its process died."""
    lost = any(it.name == "breaks" and it.failure for it in parts)
    if not lost or not trace.is_dir() or not (recording := read_recording(trace)).traces:
        return [], []
    return recorded_part(recording, explainer)


def _in_order(parts: list[Part]) -> list[Part]:
    """The parts in their order.

    `latency` gets what the first call of the whole model cost, and `results` what traces a wrong
    result.
    """
    known = {it.name: it for it in parts}
    whole = known.get(WHOLE) or known.get("results")
    if (latency := known.get("latency")) and not latency.failure:
        measured = whole.measured if whole else {}
        first = measured.get("first")
        latency.measured["whole"] = first and {**first, "raised": measured["raised"]}
    if (located := known.get(LOCATED)) and not located.failure:
        known["results"].measured["located"] = known.pop(LOCATED).measured
    return [known[name] for name in (*PARTS, LOCATED) if name in known]


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
