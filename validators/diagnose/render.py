"""A diagnosis for people: lines for a terminal, and a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from validators.diagnose.findings import Diagnosis, Explanation, Finding

SHOWN_FIRST = 3
_KNOWN = {"explained": "explained by", "suspected": "suspected:", "unknown": "unknown:"}


def terminal_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """What a terminal shows: the findings that cost most with their fixes, then the others."""
    ran = [it for it in diagnosis.findings if it.kind != "static"]
    guessed = [it for it in diagnosis.findings if it.kind == "static"]
    yield f"{diagnosis.target} on torch {diagnosis.torch}, {_setting(diagnosis)}"
    failed = [it for it in diagnosis.parts if it.failure]
    if not diagnosis.findings:
        yield "Nothing is decided." if failed else "No trouble found."
    for number, it in enumerate(ran[:SHOWN_FIRST], 1):
        yield f"{number}. {_head(it)}"
        yield from (f"   {line}" for line in _details(it))
    for number, it in enumerate(ran[SHOWN_FIRST:], SHOWN_FIRST + 1):
        yield f"{number}. {_head(it)}  {_brief(it.explanation)}"
    if guessed:
        yield "Suspected from the source alone:"
        yield from (
            f"   {it.place}  {it.explanation.case}: {it.explanation.title}" for it in guessed
        )
    yield from (f"The part {it.name} gave no result: {it.failure}" for it in failed)
    yield from _measured(diagnosis)


def markdown(diagnosis: Diagnosis) -> str:
    """The diagnosis as a page."""
    lines = [f"# Diagnosis of `{diagnosis.target}`", ""]
    lines += [f"torch {diagnosis.torch}, Python {diagnosis.python}, {_setting(diagnosis)}.", ""]
    lines += ["| | finding | place | what explains it |", "|-|-|-|-|"]
    for number, it in enumerate(diagnosis.findings, 1):
        place = f"`{it.place}`" if it.place else ""
        lines.append(f"| {number} | {_cell(it.what)} | {place} | {_cell(_brief(it.explanation))} |")
    for number, it in enumerate(diagnosis.findings, 1):
        lines += ["", f"## {number}. {it.what}", "", f"Cost: {it.cost}.", ""]
        if it.place:
            lines += _code(it)
        lines += [f"- {line}" for line in _explained(it.explanation)]
        if it.text:
            lines += ["", "```text", it.text, "```"]
    lines += ["", "## Measured", "", *(f"- {line}" for line in _measured(diagnosis))]
    failed = [f"- {it.name}: {it.failure}" for it in diagnosis.parts if it.failure]
    lines += ["", "## Parts without a result", "", *failed] if failed else []
    return "\n".join(lines) + "\n"


def _setting(diagnosis: Diagnosis) -> str:
    doing = "training steps" if diagnosis.trains else "calls"
    return f"{diagnosis.calls} {doing}"


def _head(finding: Finding) -> str:
    place = f"{finding.place}: " if finding.place else ""
    return f"{place}{finding.what} ({finding.cost})"


def _details(finding: Finding) -> Iterator[str]:
    if finding.place and finding.place.code:
        yield f"> {finding.place.code}"
    yield from _explained(finding.explanation)


def _explained(it: Explanation) -> Iterator[str]:
    if it.known == "unknown":
        yield f"unknown: no case explains it; torch calls it {it.family}"
        return
    yield f"{_KNOWN[it.known]} {it.case}: {it.title}"
    if it.fix:
        yield f"fix: {it.fix}"
    if it.there:
        yield f"there: {it.there}"


def _brief(it: Explanation) -> str:
    return f"[{_KNOWN[it.known]} {it.case or it.family}]"


def _code(finding: Finding) -> list[str]:
    assert finding.place
    called = [f"called from `{it}`" for it in finding.stack[:3]]
    return [f"`{finding.place}`", "", "```python", finding.place.code, "```", "", *called, ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _measured(diagnosis: Diagnosis) -> Iterator[str]:
    """What the parts measured, a line each."""
    parts: dict[str, dict[str, Any]] = {
        it.name: it.measured for it in diagnosis.parts if not it.failure
    }
    if found := parts.get("breaks"):
        breaks = sum(it["count"] for it in found["breaks"])
        again = sum(it["count"] for it in found["recompiles"])
        line = f"graphs: {found['graphs']}, with {breaks} graph breaks and {again} recompiles"
        share = found["compiled_share"]
        eager = "" if share is None else f"; {100 * (1 - share):.1f} % of the ops run eagerly"
        yield line + eager
    if found := parts.get("results"):
        pairs = [(it["eager"], it["noise"]) for it in found["differences"]]
        known = [(gap, noise) for gap, noise in pairs if None not in (gap, noise)]
        if known:
            gap, noise = (max(column) for column in zip(*known, strict=True))
            yield f"results: at most {gap:.2g} from eager; eager differs from itself by {noise:.2g}"
    if found := parts.get("latency"):
        whole, regional = found["whole"], found["regional"]
        line = f"first call: {whole['cpu_seconds']:.1f} CPU s, {whole['ops']} ops"
        if regional and not regional["raised"]:
            line += f"; block by block {regional['cpu_seconds']:.1f} CPU s, {regional['ops']} ops"
        yield line
    if found := parts.get("gain"):
        yield _gain(found, diagnosis.column)


def _gain(found: dict[str, Any], column: str) -> str:
    """The speed of the compiled call; withheld where eager's noise is as large."""
    seconds, medians = found["seconds"], found["medians"]
    ratio, noise = medians["eager"] / medians["compiled"], medians["eager"] / medians["again"]
    middle = sorted(e / c for e, c in zip(seconds["eager"], seconds["compiled"], strict=True))
    low, high = middle[len(middle) // 10], middle[-1 - len(middle) // 10]
    spread = max(noise, 1 / noise)
    if low <= spread and high >= 1 / spread:
        itself = f"eager against itself {noise:.2f}"
        return f"speed: not decided; {low:.2f} to {high:.2f} times as fast, {itself}"
    return f"speed: {ratio:.2f} times as fast as eager ({low:.2f} to {high:.2f}, on {column})"
