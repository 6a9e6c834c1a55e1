"""A diagnosis for people: lines for a terminal, and a page in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import shorten
from typing import Any

from validators.diagnose.compare.lines import comparison_lines, comparison_markdown
from validators.diagnose.compare.times import noise, speedup
from validators.diagnose.explaining.located import located_lines
from validators.diagnose.explaining.marks import shape_lines
from validators.diagnose.findings.finding import (
    Belief,
    Diagnosis,
    Explanation,
    Finding,
    Health,
    Part,
    Steady,
    Verification,
)
from validators.diagnose.findings.words import joined, made, names_in, plainly, without_ops
from validators.diagnose.from_recording import RECORDED, SCRIPT, recorded_lines
from validators.diagnose.report import measured
from validators.inspector.values.distances import from_json

SHOWN_FIRST = 3
SHAPES = "shapes"
_LINES = {
    "results": measured.result_lines,
    SHAPES: shape_lines,
    "guards": measured.guard_lines,
    "cudagraphs": measured.cudagraph_lines,
    "ablation": measured.ablation_lines,
    "kernels": measured.kernel_lines,
}
_INDUCTOR = {"results", "latency", "gain", "cudagraphs", "ablation"}
"""The parts that run Inductor."""
_MOST_NAMES = 3
_MOST_CHARACTERS = 200
_KNOWN = {"explained": "explained by", "suspected": "suspected:", "unknown": "unknown:"}


def terminal_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """What a terminal shows: the findings that cost most with their fixes, then the others."""
    ran = [it for it in diagnosis.findings if it.kind != "static"]
    guessed = [it for it in diagnosis.findings if it.kind == "static"]
    yield f"{diagnosis.target} on {release_of(diagnosis)}, {setting(diagnosis)}"
    yield from form_lines(diagnosis)
    failed = [it for it in diagnosis.parts if it.failure]
    if not diagnosis.findings:
        yield _nothing_found(diagnosis)
    for number, it in enumerate(ran[:SHOWN_FIRST], 1):
        yield f"{number}. {_head(it)}"
        yield from (f"   {line}" for line in _details(it))
        if it.located and it.located.program:
            yield "   a program that shows it:"
            yield from (f"       {line}" for line in it.located.program.splitlines())
    for number, it in enumerate(ran[SHOWN_FIRST:], SHOWN_FIRST + 1):
        yield f"{number}. {_head(it)}  {_brief(it.explanation)}"
    if guessed:
        yield "Suspected from the source alone:"
        yield from (
            f"   {it.place}  {it.explanation.case}: {it.explanation.title}" for it in guessed
        )
    if diagnosis.beliefs:
        yield "Leave as it is, whatever you read about it:"
        yield from (f"   {_acquitted(it)}" for it in diagnosis.beliefs)
    yield from map(_failure, failed)
    yield from measured_lines(diagnosis)
    if diagnosis.against:
        yield from comparison_lines(diagnosis.against)


def form_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """What of the model is compiled, where its author compiles more or less than the whole."""
    found = next((it.measured for it in diagnosis.parts if "regions" in it.measured), {})
    if names := found.get("regions"):
        chosen = f"each by itself: {_some(names)}; --whole compiles the model as one"
        yield f"compiled as in the code, {chosen}"
    if names := found.get("inlined"):
        here = "compiled by itself in the code, inlined here into what calls it"
        yield f"{here}: {_some(names)}; `diagnose -- python SCRIPT` shows what it does alone"
    if step := found.get("step"):
        instead = "let example() return a module whose forward calls it"
        yield f"forward is compiled here, and by Lightning's Trainer {step}: {instead}"


def _some(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _nothing_found(diagnosis: Diagnosis) -> str:
    """That nothing was found, and what was not looked for."""
    names = [it.name for it in diagnosis.parts if not it.failure]
    if diagnosis.parts and not names:
        return "Nothing is decided."
    if {"breaks", RECORDED} & {*names} or not names:
        if len(names) in (0, len(diagnosis.parts)):
            return "No trouble found."
        return f"No trouble found in the part{'s' if names[1:] else ''} {joined(names)}."
    return f"Only {joined(names)} ran: nobody looked for graph breaks and recompiles."


def markdown(diagnosis: Diagnosis) -> str:
    """The diagnosis as a page."""
    lines = [f"# Diagnosis of `{diagnosis.target}`", ""]
    python = f", Python {diagnosis.python}" if diagnosis.python else ""
    lines += [f"{release_of(diagnosis)}{python}, {setting(diagnosis)}.", ""]
    lines += [f"- {line}" for line in form_lines(diagnosis)]
    lines += ["| | severity | finding | place | what explains it |", "|-|-|-|-|-|"]
    for number, it in enumerate(diagnosis.findings, 1):
        place = f"`{it.place}`" if it.place else ""
        cells = [it.severity, _cell(it.what), place, _cell(_brief(it.explanation))]
        lines.append(f"| {number} | {' | '.join(cells)} |")
    for number, it in enumerate(diagnosis.findings, 1):
        lines += ["", f"## {number}. {it.what}", "", f"Cost: {it.cost}.", ""]
        if it.place:
            lines += _code(it)
        lines += [f"- {line}" for line in _explained(it)]
        if it.located and it.located.program:
            lines += ["", "A program that shows it:", "", "```python", it.located.program, "```"]
        if it.text:
            lines += ["", "```text", it.text, "```"]
    if diagnosis.beliefs:
        lines += ["", "## Leave as it is", "", *(f"- {_acquitted(it)}" for it in diagnosis.beliefs)]
    lines += ["", "## Measured", "", *(f"- {line}" for line in measured_lines(diagnosis))]
    failed = [f"- {_failure(it)}" for it in diagnosis.parts if it.failure]
    lines += ["", "## Failures", "", *failed] if failed else []
    lines += ["", *comparison_markdown(diagnosis.against)] if diagnosis.against else []
    if diagnosis.command:
        lines += ["", "## Reproduce", "", "```bash", diagnosis.command, "```"]
    return "\n".join(lines) + "\n"


def verification_lines(found: Verification) -> Iterator[str]:
    """What a terminal shows of a verified or refused fix."""
    if found.partial:
        yield f"decided on a part of the calls: {found.partial}"
    yield f"before: {_health(found.before)}"
    yield f"after: {_health(found.after)}"
    yield f"compared over {found.calls} calls and {found.made_up} that follow from them"
    yield from (f"better: {it}" for it in found.better)
    if found.steady:
        yield _steady(found.steady)
    yield from (f"note: {it}" for it in found.named)
    yield from (f"refused: {it}" for it in found.refused)
    if not found.refused:
        yield "The fix is verified."


def _steady(it: Steady) -> str:
    if it.withheld:
        return f"warm calls: not timed, because {it.withheld}"
    said = f"{it.low:.2f} to {it.high:.2f} times as long as before"
    if it.decided:
        return f"warm calls: {said}"
    itself = f"before against itself {it.noise[0]:.2f} to {it.noise[1]:.2f}"
    return f"warm calls: not decided whether faster: {said}, {itself}"


def _health(it: Health) -> str:
    if it.raised:
        return f"raises {it.raised}"
    said = f"{it.graphs} graphs, {it.breaks} graph breaks, {it.recompiles} recompiles"
    limits = f", {it.limits} limits reached" if it.limits else ""
    share = "" if it.compiled is None else f", {it.compiled:.1%} of the ops compiled"
    failed = f"; {it.failed}" if it.failed else ""
    cold = f"; in a new process it raises {it.cold}" if it.cold else ""
    return said + limits + share + failed + cold


def release_of(diagnosis: Diagnosis) -> str:
    """The release of torch, or a sentence that says how to name it."""
    if diagnosis.torch:
        return f"torch {diagnosis.torch}"
    return "an unknown release of torch (name it with --torch; until then cases are suspected)"


def _failure(part: Part) -> str:
    if part.name == SCRIPT:
        return f"The script {part.failure}; what it did until then is reported"
    return f"The part {part.name} gave no result: {part.failure}"


def setting(diagnosis: Diagnosis) -> str:
    """How many calls or training steps were made, or what a recording is of."""
    for part in diagnosis.parts:
        if part.name == RECORDED:
            processes = part.measured["processes"]
            return f"recorded from {processes} process{'es' if processes > 1 else ''}"
    return made(diagnosis)


def _head(finding: Finding) -> str:
    place = f"{finding.place}: " if finding.place else ""
    return f"[{finding.severity}] {place}{finding.what} ({finding.cost})"


def _acquitted(it: Belief) -> str:
    more = f" and {len(it.places) - 1} more" if it.places[1:] else ""
    return f"{it.places[0]}{more}  {it.explanation.case}: {it.explanation.title}"


def _details(finding: Finding) -> Iterator[str]:
    if finding.place and finding.place.code:
        yield f"> {finding.place.code}"
    if finding.kind == "crash" and finding.text:
        yield f"says {shorten(finding.text.splitlines()[0], _MOST_CHARACTERS, placeholder=' …')}"
    yield from _explained(finding)


def _explained(finding: Finding) -> Iterator[str]:
    it = finding.explanation
    if finding.because:
        yield f"follows from {finding.because}; fix that first"
    if finding.located:
        yield from located_lines(finding.located)
    if it.known == "unknown":
        yield f"unknown: no case explains it; torch calls it {it.family}"
        yield from finding.tried
        return
    yield f"{_KNOWN[it.known]} {it.case}: {it.title}"
    if it.fix:
        yield f"{fix_of(finding)}: {it.fix}"
    yield from finding.tried
    if it.there:
        yield f"there: {plainly(it.there)}"


def fix_of(finding: Finding) -> str:
    """What to call a fix: one that has names which the user's lines lack is the example's."""
    it = finding.explanation
    lines = [at.code for at in (finding.place, *finding.stack) if at]
    own = {word for line in lines for word in re.findall(r"\w+", line)}
    return (
        "fix, with the names of the case's example"
        if it.example and names_in(it.fix) - own
        else "fix"
    )


def _brief(it: Explanation) -> str:
    return f"[{_KNOWN[it.known]} {it.case or it.family}]"


def _code(finding: Finding) -> list[str]:
    assert finding.place
    called = [f"called from `{it}`" for it in finding.stack[:3]]
    return [f"`{finding.place}`", "", "```python", finding.place.code, "```", "", *called, ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def measured_lines(diagnosis: Diagnosis, without: str = "") -> Iterator[str]:
    """What the parts measured, a line each, except the part `without`."""
    parts: dict[str, dict[str, Any]] = {
        it.name: it.measured for it in diagnosis.parts if not it.failure
    }
    if found := parts.get(RECORDED):
        yield from recorded_lines(found)
    if found := parts.get("breaks"):
        breaks = sum(it["count"] for it in found["breaks"])
        again = sum(it["count"] for it in found["recompiles"])
        told = f"{found['graphs']}, with {breaks} graph breaks and {again} recompiles"
        share = found["compiled_share"]
        eager = "" if share is None else f"; {100 * (1 - share):.1f} % of the ops run eagerly"
        if without_ops(found):
            eager = "; the calls run no op, so there is nothing to compile"
        yield f"graphs of all calls: {told}{eager}"
        backend = found.get("backend", "inductor")
        if refused := found.get("refused"):
            yield f"aot_eager raises {refused}, and inductor does not; so {backend} counted"
        elif backend != "inductor" and not parts.keys() & _INDUCTOR:
            yield f"{backend} compiled; what Inductor refuses, computes or costs was not asked"
    if found := parts.get("results"):
        pairs = [(it["eager"], it["noise"]) for it in found["differences"]]
        known = [(gap, noise) for gap, noise in pairs if None not in (gap, noise)]
        if known:
            gap, noise = (max(column) for column in zip(*known, strict=True))
            far = f"at most {from_json(gap):.2g} (relative) from eager"
            yield f"results: {far}; eager from itself {from_json(noise):.2g}"
    if found := parts.get("latency"):
        yield from measured.latency_lines(found)
    if found := parts.get("gain"):
        said = _gain(found, diagnosis.column)
        yield said
        first = (parts.get("latency") or {}).get("whole") or parts.get("results", {}).get("first")
        decided = not found.get("withheld") and "not decided" not in said
        yield from measured.gain_lines(found, first and first["seconds"], decided)
    for name, lines in _LINES.items():
        if (found := parts.get(name)) and name != without:
            yield from lines(found)


def _gain(found: dict[str, Any], column: str) -> str:
    """The speed of the compiled call with its interval, which holds eager's noise."""
    if found.get("withheld"):
        return f"speed: not measured, because {found['withheld']}"
    ratio = speedup(found["seconds"])
    if ratio is None:
        return f"speed: not decided; {len(found['seconds']['eager'])} calls are too few"
    itself = f"eager against itself {noise(found['seconds']):.2f}"
    if ratio.low <= 1 <= ratio.high:
        span = f"{ratio.low:.2f} to {ratio.high:.2f} times as fast as eager"
        return f"speed: not decided; {span} may be faster or slower, {itself}"
    return f"speed: {ratio} times as fast as eager, {itself}, on {column}"
