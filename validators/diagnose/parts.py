"""From what the parts of a diagnosis returned to findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from validators.diagnose.explain import Explainer
from validators.diagnose.findings import Explanation, Finding, Place
from validators.diagnose.static import Suspicion
from validators.match import REGISTRY

Found = dict[str, Any]
_VARYING = "automatic_dynamic_wastes_one_compile"
_SIZE = re.compile(r"size mismatch at index|\.size\(\)\[\d+\] == \d")
_LINES_KEPT = 40
_CLOSE = 1e-3
"""Distances up to this, relative to what eager computes, are rounding."""
_SLOW = 10.0
"""Compilations below this many CPU seconds are not worth a finding."""


def place_of(file: str, line: int) -> Place:
    """A place with the text of its line."""
    try:
        code = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
    except (OSError, IndexError):
        code = ""
    return Place(file, line, code.strip())


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


def of_breaks(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Graph breaks, recompiles and limits."""
    calls, rounds = found["calls"], found["rounds"]
    yield from _crash(found, explainer, "aot_eager")
    for it in found["breaks"]:
        stack = [place_of(**frame) for frame in it["places"]]
        family = f"{it['id']} {it['type']}".strip()
        yield Finding(
            kind="graph_break",
            what=f"graph break: {it['type']}",
            cost=_often(it["count"], rounds * calls),
            explanation=explainer.of_text(
                f"{it['text']}\n{REGISTRY.format(it['id'].lower())}",
                family,
                "\n".join(at.code for at in stack),
            ),
            count=it["count"],
            place=stack[0] if stack else None,
            stack=stack[1:],
            text=_short(it["text"]),
        )
    yield from _recompiles(found["recompiles"], rounds * calls, explainer)
    for it in found["limits"]:
        yield Finding(
            kind="recompile_limit",
            what=f"{it['function'] or 'a function'} reaches the recompile limit",
            cost="runs eagerly for every further variant",
            explanation=explainer.of_text(it["text"], "recompile limit"),
            place=place_of(it["file"], it["line"]) if it["file"] else None,
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


def _recompiles(found: list[Found], calls: int, explainer: Explainer) -> Iterator[Finding]:
    """One finding for all functions that compile again since sizes vary; one each for the others.

    A size that varies enters every function that gets the tensor: that is one cause.
    """
    sizes = [it for it in found if _SIZE.search(it["guard"])]
    for it in sizes[:1]:
        count = sum(it["count"] for it in sizes)
        others = f" and {len(sizes) - 1} others compile" if len(sizes) > 1 else " compiles"
        yield Finding(
            kind="recompile",
            what=f"{it['function']}{others} again for another size",
            cost=_often(count, calls),
            explanation=explainer.of_case(_VARYING, "a size that varies", known=True),
            count=count,
            place=place_of(it["file"], it["line"]),
            stack=[place_of(other["file"], other["line"]) for other in sizes[1:]],
            text=_short("\n".join(it["text"] for it in sizes)),
        )
    for it in found:
        if it not in sizes:
            yield Finding(
                kind="recompile",
                what=f"{it['function']} compiles again",
                cost=_often(it["count"], calls),
                explanation=explainer.of_text(it["text"], f"guard {it['guard']}"),
                count=it["count"],
                place=place_of(it["file"], it["line"]),
                text=_short(it["text"]),
            )


def of_results(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """An exception of the compiler, and results that differ from eager's."""
    yield from _crash(found, explainer, "inductor")
    for call, it in enumerate(found["differences"]):
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
            what=f"call {call} differs from eager {said}",
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
    """A compilation that regional compilation would shorten."""
    whole, regional = found["whole"], found["regional"]
    if not regional or whole["raised"] or regional["raised"] or whole["cpu_seconds"] < _SLOW:
        return
    if regional["ops"] * 2 <= whole["ops"]:
        yield Finding(
            kind="compile_time",
            what=f"the first call traces {whole['ops']} ops",
            cost=f"{regional['ops']} ops with {len(found['blocks'])} blocks compiled one by one",
            explanation=explainer.of_case("regional_compilation_traces_fewer_ops", known=True),
            weight=whole["cpu_seconds"],
        )


OF_PART: dict[str, Callable[[Found, Explainer], Iterator[Finding]]] = {
    "breaks": of_breaks,
    "latency": of_latency,
    "results": of_results,
    "shapes": of_shapes,
    "gain": lambda _found, _explainer: iter(()),
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
    return f"{times} in {calls} call{'s' if calls > 1 else ''}"


def _calls(numbers: list[int]) -> str:
    return f"call{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
