"""From what the parts of a diagnosis returned to findings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from validators.diagnose.explaining.consequences import of_eager_calls, of_limit, without_graphs
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.explaining.located import located_of, stack_of
from validators.diagnose.explaining.marks import of_shapes
from validators.diagnose.explaining.recompiles import function_of, of_recompiles
from validators.diagnose.findings.finding import Belief, Explanation, Finding, Place
from validators.diagnose.findings.words import Found, often, place_of, short, told_at, without_ops
from validators.diagnose.recording.events import foreign
from validators.diagnose.static.source import Suspicion, exact_line
from validators.inspector.differences.chains import chain_name
from validators.inspector.values.distances import from_json, is_wrong
from validators.match import REGISTRY
from validators.probes.told import user_frames

_SLOW = 10.0
"""Compilations below this many CPU seconds are not worth a finding."""
_CASTS = {"to", "type", "type_as", "bfloat16", "half"}
"""Ops that may round."""
_IN_A_LOOP = "*** While handling this graph break, another graph break occurred: ***"
_DISPATCH = 0.1
"""Guards and dispatch below this part of an eager call's time are not worth a finding."""


def of_suspicions(found: list[Suspicion], explainer: Explainer) -> list[Finding]:
    """A finding for each suspicion of the static pass."""
    return [
        Finding(
            kind="static",
            what="the source suggests trouble",
            cost="not run",
            explanation=explainer.of_case(it.case),
            place=place_of(str(it.file), it.line),
        )
        for it in found
    ]


def of_beliefs(found: list[Suspicion], explainer: Explainer) -> list[Belief]:
    """A belief for each case that the evidence confirms on the user's release."""
    lines: dict[str, list[Suspicion]] = defaultdict(list)
    for it in found:
        lines[it.case].append(it)
    explained = {case: explainer.of_case(case, known=True) for case in lines}
    return [
        Belief([place_of(str(it.file), it.line) for it in seen], explained[case])
        for case, seen in lines.items()
        if explained[case].known == "explained"
    ]


def of_breaks(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Graph breaks, recompiles, limits, and calls that run eagerly."""
    yield from _crash(found, explainer, found.get("backend", "aot_eager"))
    if found.get("cold"):
        yield from _cold_crash(found, explainer)
    after: dict[tuple[str, int], Finding] = {}
    broken = []
    for it in _with_loops([*_once(found["breaks"])]):
        stack = [place_of(**frame) for frame in it["places"]]
        broken.append(_graph_break(it, stack, found, explainer))
        for at in stack:
            after.setdefault((at.file, at.line), broken[-1])
    eager = sorted({it % found["calls"] for it in found["eager_calls"]})
    again = list(of_recompiles(found, explainer, after))
    if eager and not found["graphs"]:
        again = [without_graphs(it, broken) for it in again]
    limits = [of_limit(it, again) for it in _limits(found, explainer)]
    yield from (*broken, *again, *limits)
    if eager and not without_ops(found):
        yield of_eager_calls(eager, broken, limits)


def _once(breaks: list[Found]) -> Iterator[Found]:
    """The breaks without those that torch tells again, as the reason to skip the function."""
    placed = {(it["id"], it["type"]) for it in breaks if it["places"]}
    return (it for it in breaks if it["places"] or (it["id"], it["type"]) not in placed)


def _with_loops(breaks: list[Found]) -> Iterator[Found]:
    """The breaks, those in loops as one with the breaks there that they are told after.

    Torch tells a break in a loop again, as the reason to run the whole function eagerly.
    """
    plain = {_cause(it): {**it} for it in breaks if _IN_A_LOOP not in it["text"]}
    for it in breaks:
        first = plain.get(_cause(it))
        if first and _IN_A_LOOP in it["text"]:
            first.update(text=it["text"], loops=it["count"], count=first["count"] + it["count"])
    yield from plain.values()
    yield from (it for it in breaks if _IN_A_LOOP in it["text"] and _cause(it) not in plain)


def _cause(told: Found) -> tuple[str, str]:
    """The line of a break, and what torch says that it met there first."""
    return str(told["places"][:1]), str(told["text"].partition(_IN_A_LOOP)[0].strip())


def _graph_break(told: Found, stack: list[Place], found: Found, explainer: Explainer) -> Finding:
    explanation = explainer.of_text(
        f"{told['text']}\n{REGISTRY.format(told['id'].lower())}",
        f"{told['id']} {told['type']}".strip(),
        [at.code for at in stack],
    )
    calls = found["rounds"] * found["calls"]
    loops = told.get("loops", 0)
    eager = f"; {often(loops, 0)} in a loop, whose function then runs eagerly" if loops else ""
    return Finding(
        kind="graph_break",
        what=f"graph break: {told['type']}",
        cost=f"{often(told['count'], calls)}{eager}",
        explanation=explanation,
        count=told["count"],
        place=_exact(stack[0], explanation.case) if stack else None,
        stack=stack[1:],
        text=short(told["text"]),
    )


def _limits(found: Found, explainer: Explainer) -> Iterator[Finding]:
    for it in found["limits"]:
        yield Finding(
            kind="recompile_limit",
            what=f"{function_of(it) or 'a function'} reaches the recompile limit",
            cost="runs eagerly for every further variant",
            explanation=explainer.of_text(it["text"], "recompile limit"),
            place=told_at(it) if it["file"] else None,
            text=short(it["text"]),
        )


def _exact(place: Place, case: str) -> Place:
    line = exact_line(Path(place.file), place.line, case)
    return place if line == place.line else place_of(place.file, line)


def of_results(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """An exception of the compiler, and results that differ from eager's."""
    yield from _crash(found, explainer, "inductor")
    yield from _differences(found, explainer)


def _differences(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """All calls that are wrong as one finding, told by the one that was traced, or the first."""
    wrong = [it for it in found["differences"] if is_wrong(it)]
    if not wrong:
        return
    where = found.get("located") or {}
    shown = next((it for it in wrong if it["call"] == where.get("wrong")), wrong[0])
    stack = stack_of(where) if where else []
    calls = f"call {shown['call']} differs"
    if wrong[1:]:
        calls = f"{len(wrong)} of {len(found['differences'])} calls differ"
    yield Finding(
        kind="wrong_results",
        what=f"{calls} from eager {_difference(shown)}",
        cost="compiled code computes something else",
        explanation=_intended(wrong, where, explainer)
        or Explanation("unknown", "results that differ from eager mode's"),
        count=len(wrong),
        weight=max(it["eager"] or 1.0 for it in wrong),
        place=stack[0] if stack else None,
        stack=stack[1:],
        text="\n".join(
            f"call {it['call']}: {_difference(it)}; eager differs from itself by {it['noise']:.3g}"
            for it in wrong
        ),
        located=located_of(where) if where else None,
    )


def _intended(wrong: list[Found], where: Found, explainer: Explainer) -> Explanation | None:
    """The case of differences that torch means to make."""
    if all(it.get("zeros") for it in wrong):
        return explainer.of_case("zero_gradient_of_unused_output", known=True)
    settings = [it["setting"] for it in where.get("avoided", ())]
    casts = _CASTS & {*map(chain_name, where.get("ops", ()))}
    if casts and len(settings) == 1 and "emulate_precision_casts" in settings[0]:
        return explainer.of_case("explicit_cast_left_out", known=True)
    return None


def _difference(it: Found) -> str:
    """How a call differs from eager's."""
    if it["eager"] is None:
        return f"in kind: {it.get('kind', 'it has no values')}"
    part = f", in {it['part']}" if it.get("part") else ""
    away = from_json(it["eager"])
    return f"by {away:.3g} (relative){part}" if math.isfinite(away) else f"in NaN or infinity{part}"


def of_latency(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """A compilation that regional compilation would shorten, and results of blocks that differ."""
    yield from _differences(found, explainer)
    whole, regional = found["whole"], found["regional"]
    if not whole or not regional or whole["raised"] or regional["raised"]:
        return
    if whole["cpu_seconds"] >= _SLOW and regional["ops"] * 2 <= whole["ops"]:
        yield Finding(
            kind="compile_time",
            what=f"the first call traces {whole['ops']} ops",
            cost=f"{regional['ops']} ops with {len(found['blocks'])} blocks compiled one by one",
            explanation=explainer.of_case("regional_compilation_traces_fewer_ops", known=True),
            weight=whole["cpu_seconds"],
        )


def of_guards(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """On a GPU, guards that cost a call more than a small part of an eager one.

    On a CPU, other work on the machine can explain the same times.
    """
    if found["withheld"] or explainer.column.endswith("-cpu"):
        return
    samples, medians = found["samples"], found["medians"]
    if min(samples["dispatch"]) > _DISPATCH * max(samples["eager"]):
        share = medians["dispatch"] / medians["eager"]
        yield Finding(
            kind="guard_cost",
            what=f"a call checks {found['guards']} guards",
            cost=f"guards and dispatch take {share:.0%} of an eager call's time",
            explanation=explainer.of_case("guards_are_a_small_share_of_a_step", known=True),
            weight=share,
        )


def of_cudagraphs(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Graphs that CUDA graphs skip, record again and again, or whose outputs they overwrite."""
    if found["withheld"]:
        return
    calls = found["rounds"] * found["calls"]
    yield from _crash(found, explainer, "inductor with CUDA graphs")
    for reason, count in found["skips"].items():
        yield cudagraph(reason, often(count, calls), explainer.of_text(reason, "skip"), count)
    if count := found["overwritten"]:
        known = explainer.of_case("overwritten_cudagraph_output")
        what = "the next call overwrites what a call returned"
        yield cudagraph(what, often(count, calls), known, count)
    again = found["recordings"] - found["graphs"]
    if again > 0 and found["recordings"] > found["calls"]:
        known = explainer.of_case("rerecording_per_shape")
        what = f"{found['graphs']} graphs are recorded {found['recordings']} times"
        yield cudagraph(what, "each recording runs like a first call", known, again)


def cudagraph(what: str, cost: str, explanation: Explanation, count: int) -> Finding:
    """A finding about CUDA graphs."""
    return Finding(
        kind="cudagraphs", what=what, cost=cost, explanation=explanation, count=count, text=what
    )


OF_PART: dict[str, Callable[[Found, Explainer], Iterator[Finding]]] = {
    "breaks": of_breaks,
    "latency": of_latency,
    "results": of_results,
    "shapes": of_shapes,
    "guards": of_guards,
    "gain": lambda _found, _explainer: iter(()),
    "cudagraphs": of_cudagraphs,
    "ablation": lambda _found, _explainer: iter(()),
}
"""The parts that run the target, in order, and what makes findings of each one's result."""


def _crash(found: Found, explainer: Explainer, backend: str) -> Iterator[Finding]:
    caught = found["raised"]
    if caught:
        text = f"{caught['type']}: {caught['message']}"
        stack = raised_at(text)
        raised = caught["type"].rpartition(".")[2]
        yield Finding(
            kind="crash",
            what=f"call {caught['call']} raises {raised} under {backend}",
            cost="the compiled model does not run",
            explanation=explainer.of_text(
                text, caught["break_id"] or caught["type"], [at.code for at in stack], runs=True
            ),
            place=stack[0] if stack else None,
            stack=stack[1:],
            text=short(text),
        )


def _cold_crash(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """The exception that eager calls before the compiled ones prevent: they fill some cache."""
    for it in _crash({**found, "raised": found["cold"]}, explainer, found["backend"]):
        yield replace(
            it,
            cost="the compiled model does not run in a new process",
            tried=["tried the calls in eager mode first: none raises"],
        )


def raised_at(text: str) -> list[Place]:
    """The frames of the user's code that an exception of the compiler names, innermost first."""
    told = text.partition("from user code:")[2]
    if not told:
        # A backend's exception names the op that it was at, its innermost line last.
        told = text.partition("Original traceback:\n")[2].partition("\n\n")[0]
    return [place_of(**it) for it in user_frames(told, foreign)]
