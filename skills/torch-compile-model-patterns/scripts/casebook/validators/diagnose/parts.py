"""From what the parts of a diagnosis returned to findings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from validators.diagnose.explain import Explainer
from validators.diagnose.findings import Belief, Explanation, Finding, Place
from validators.diagnose.static import Suspicion, exact_line
from validators.match import REGISTRY

Found = dict[str, Any]
_VARYING = "automatic_dynamic_wastes_one_compile"
_SIZE = re.compile(r"size mismatch at index|\.size\(\)\[\d+\] == \d")
RESUMED = re.compile(r"torch_dynamo_resume_in_(?P<function>.+)_at_(?P<line>\d+)$")
"""The name of the function that Dynamo makes of what follows a graph break."""
_LINES_KEPT = 40
_CLOSE = 1e-3
"""Distances up to this, relative to what eager computes, are rounding."""
_SLOW = 10.0
"""Compilations below this many CPU seconds are not worth a finding."""
_DISPATCH = 0.1
"""Guards and dispatch below this part of an eager call's time are not worth a finding."""


def place_of(file: str, line: int, code: str = "") -> Place:
    """A place with the text of its line, which is read if `code` is not given."""
    if code:
        return Place(file, line, code)
    try:
        code = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
    except (OSError, IndexError):
        code = ""
    return Place(file, line, code.strip())


def _at(told: Found) -> Place:
    """The place that a worker told of."""
    return place_of(told["file"], told["line"], told.get("code", ""))


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
    """Graph breaks, recompiles and limits."""
    calls, rounds = found["calls"], found["rounds"]
    after: dict[tuple[str, int], Finding] = {}
    yield from _crash(found, explainer, "aot_eager")
    for it in found["breaks"]:
        stack = [place_of(**frame) for frame in it["places"]]
        explanation = explainer.of_text(
            f"{it['text']}\n{REGISTRY.format(it['id'].lower())}",
            f"{it['id']} {it['type']}".strip(),
            [at.code for at in stack],
        )
        broken = Finding(
            kind="graph_break",
            what=f"graph break: {it['type']}",
            cost=_often(it["count"], rounds * calls),
            explanation=explanation,
            count=it["count"],
            place=_exact(stack[0], explanation.case) if stack else None,
            stack=stack[1:],
            text=_short(it["text"]),
        )
        for at in stack:
            after.setdefault((at.file, at.line), broken)
        yield broken
    yield from _recompiles(found, explainer, after)
    for it in found["limits"]:
        yield Finding(
            kind="recompile_limit",
            what=f"{_function(it) or 'a function'} reaches the recompile limit",
            cost="runs eagerly for every further variant",
            explanation=explainer.of_text(it["text"], "recompile limit"),
            place=_at(it) if it["file"] else None,
            text=_short(it["text"]),
        )
    if eager := sorted({it % calls for it in found["eager_calls"]}):
        yield Finding(
            kind="eager_call",
            what=f"no compiled graph runs in {_calls(eager)}",
            cost="these calls run eagerly, without a message",
            explanation=Explanation("unknown", "a call without a compiled graph"),
            count=len(eager),
        )


def _exact(place: Place, case: str) -> Place:
    line = exact_line(Path(place.file), place.line, case)
    return place if line == place.line else place_of(place.file, line)


def _recompiles(
    found: Found, explainer: Explainer, after: Mapping[tuple[str, int], Finding]
) -> Iterator[Finding]:
    """One finding for all functions that compile again since sizes vary; one each for the others.

    A size that varies enters every function that gets the tensor: that is one cause. `after` has
    the graph breaks by the places that led to them.
    """
    calls, recompiles = found["rounds"] * found["calls"], found["recompiles"]
    sizes = [it for it in recompiles if _SIZE.search(it["guard"])]
    for it in sizes[:1]:
        count = sum(it["count"] for it in sizes)
        others = f" and {len(sizes) - 1} others compile" if len(sizes) > 1 else " compiles"
        yield Finding(
            kind="recompile",
            what=f"{_function(it)}{others} again for another size",
            cost=_often(count, calls),
            explanation=explainer.of_case(_VARYING, "a size that varies", known=True),
            count=count,
            place=_at(it),
            stack=[_at(other) for other in sizes[1:]],
            text=_short("\n".join(it["text"] for it in sizes)),
        )
    for it in recompiles:
        if it not in sizes:
            broken = _break_before(it, after)
            yield Finding(
                kind="recompile",
                what=f"{_function(it)} compiles again",
                cost=_often(it["count"], calls),
                explanation=_of_recompile(it, found, explainer, broken),
                count=it["count"],
                place=_at(it),
                text=_short(it["text"]),
                follows=broken.place if broken else None,
            )


def _break_before(told: Found, after: Mapping[tuple[str, int], Finding]) -> Finding | None:
    """The graph break after which a function resumes; None for another function."""
    resumed = RESUMED.match(told["function"])
    return after.get((told["file"], int(resumed["line"]))) if resumed else None


def _of_recompile(
    told: Found, found: Found, explainer: Explainer, broken: Finding | None
) -> Explanation:
    """What explains that a function compiles again: its guard, or the graph break that made it.

    If any graph broke, a function that is compiled apart from the target's own may be so for that.
    """
    if broken:
        return broken.explanation
    # Torch lists the guards of older graphs, too; the first is the newest one's.
    explanation = explainer.of_text(_newest(told["text"]), f"guard {told['guard']}")
    own = found.get("own")
    apart = own is not None and own != [told["file"], told["line"]] and found["breaks"]
    if explanation.known == "explained" and (apart or RESUMED.match(told["function"])):
        return replace(explanation, known="suspected")
    return explanation


def _function(told: Found) -> str:
    """The name of a function that Dynamo compiled, as a user knows it."""
    resumed = RESUMED.match(told["function"])
    if not resumed:
        return str(told["function"])
    return f"{resumed['function']}, after its graph break in line {resumed['line']},"


def _newest(text: str) -> str:
    """A recompilation in torch's words, with the first of its reasons alone."""
    first, *others = text.split("\n    - ")
    return "\n    - ".join([first, *others[:1]])


def of_results(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """An exception of the compiler, and results that differ from eager's."""
    yield from _crash(found, explainer, "inductor")
    yield from _differences(found)


def _differences(found: Found) -> Iterator[Finding]:
    for it in found["differences"]:
        gap, noise = it["eager"], it["noise"]
        # What eager mode does not repeat cannot be compared.
        if noise is None or (gap is not None and gap <= max(_CLOSE, 4 * noise)):
            continue
        compiled, eager = it.get("compiled_float64"), it.get("eager_float64")
        if compiled is not None and eager is not None and compiled <= 4 * eager:
            continue
        said = "in its shapes" if gap is None else f"by {gap:.3g}"
        yield Finding(
            kind="wrong_results",
            what=f"call {it['call']} differs from eager {said}",
            cost="compiled code computes something else",
            explanation=Explanation("unknown", "results that differ from eager mode's"),
            weight=gap or 1.0,
            text=f"eager differs from itself by {noise:.3g}",
        )


def of_shapes(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Dims that vary between calls, where a mark saves a compilation."""
    for it in found["varying"]:
        if it["graphs"] < found["graphs"]:
            dims = ", ".join(f"dim {dim} of argument {path}" for path, dim in it["dims"])
            yield Finding(
                kind="dynamic_dim",
                what=f"{dims} varies: {it['sizes']}",
                cost=f"{found['graphs']} graphs, {it['graphs']} if marked as dynamic",
                explanation=explainer.of_case(_VARYING, "a size that varies", known=True),
                weight=float(found["graphs"] - it["graphs"]),
            )


def of_latency(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """A compilation that regional compilation would shorten, and results of blocks that differ."""
    yield from _differences(found)
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
        yield _cudagraph(reason, _often(count, calls), explainer.of_text(reason, "skip"), count)
    if count := found["overwritten"]:
        known = explainer.of_case("overwritten_cudagraph_output")
        what = "the next call overwrites what a call returned"
        yield _cudagraph(what, _often(count, calls), known, count)
    again = found["recordings"] - found["graphs"]
    if again > 0 and found["recordings"] > found["calls"]:
        known = explainer.of_case("rerecording_per_shape")
        what = f"{found['graphs']} graphs are recorded {found['recordings']} times"
        yield _cudagraph(what, "each recording runs like a first call", known, again)


def _cudagraph(what: str, cost: str, explanation: Explanation, count: int) -> Finding:
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
        raised = caught["type"].rpartition(".")[2]
        yield Finding(
            kind="crash",
            what=f"call {caught['call']} raises {raised} under {backend}",
            cost="the compiled model does not run",
            explanation=explainer.of_text(text, caught["break_id"] or caught["type"]),
            text=_short(text),
        )


def _short(text: str) -> str:
    return "\n".join(text.strip().splitlines()[:_LINES_KEPT])


def _often(count: int, calls: int) -> str:
    times = "once" if count == 1 else f"{count} times"
    if not calls:  # A recording does not tell them.
        return times
    return f"{times} in {calls} call{'s' if calls > 1 else ''}"


def _calls(numbers: list[int]) -> str:
    return f"call{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
