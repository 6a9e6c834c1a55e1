"""A comparison for people: lines for a terminal, and a section in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from validators.diagnose.findings.comparison import Change, Comparison, Number

_ADVICE = {
    "compile": "compile",
    "eager": "prefer eager mode",
    "before": "prefer the first",
    "after": "prefer the second",
    "undecided": "not decided",
}


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """What a terminal shows of a comparison."""
    yield f"before: {comparison.before}"
    yield f"after: {comparison.after}"
    yield from (f"not the same: {it}" for it in comparison.differ)
    for number in comparison.numbers:
        was, now = shown(number.before), shown(number.after)
        yield f"  {number.name:22} {was:>8} {now:>8}  {remark(number)}".rstrip()
    for name, changed in changed_findings(comparison).items():
        yield from (f"{name}: {change_line(it)}" for it in changed)
    if it := comparison.preference:
        yield f"advice: {advice(comparison)} ({it.because})"
    yield _outcome(comparison)


def _outcome(comparison: Comparison) -> str:
    if comparison.worse:
        return f"Worse: {', '.join(comparison.worse)}."
    verdicts = {it.verdict for it in comparison.numbers}
    measured = " of what both measured" if "missing" in verdicts else ""
    open_ = [it.name for it in comparison.numbers if it.verdict == "undecided"]
    return f"Nothing got worse{measured}{'; not decided: ' if open_ else ''}{', '.join(open_)}."


def comparison_markdown(comparison: Comparison) -> Iterator[str]:
    """The lines of a section about a comparison."""
    yield from ("## Before and after", "")
    yield from (f"- before: {comparison.before}", f"- after: {comparison.after}")
    yield from (f"- not the same: {it}" for it in comparison.differ)
    yield from ("", "| | before | after | |", "|-|-|-|-|")
    for it in comparison.numbers:
        said = remark(it).replace("|", "\\|").replace("\n", " ")
        yield f"| {it.name} | {shown(it.before)} | {shown(it.after)} | {said} |"
    yield ""
    for name, changed in changed_findings(comparison).items():
        yield from (f"- {name}: {change_line(it)}" for it in changed)
    if comparison.preference:
        yield f"- advice: {advice(comparison)} ({comparison.preference.because})"


def changed_findings(comparison: Comparison) -> dict[str, list[Change]]:
    """The findings of both reports by what became of them."""
    return {"gone": comparison.gone, "new": comparison.new, "still there": comparison.still}


def change_line(change: Change) -> str:
    """A finding with its place and what it costs."""
    place = f"{change.place}: " if change.place else ""
    costs = [it for it in dict.fromkeys((change.before, change.after)) if it]
    return f"{place}{change.what} ({', now '.join(costs)})"


def advice(comparison: Comparison) -> str:
    """What the times advise; "" if nobody measured them."""
    return _ADVICE[comparison.preference.advice] if comparison.preference else ""


def remark(number: Number) -> str:
    """The verdict on a number, and why."""
    return ": ".join(it for it in (number.verdict, number.said) if it)


def shown(value: float | None) -> str:
    """A number as text; "-" where nobody measured it."""
    if value is None:
        return "-"
    return str(int(value)) if value == int(value) else f"{value:.3g}"
