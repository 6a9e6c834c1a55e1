"""`RESULTS.md`: every measure with its target, and whether it is met."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measures import Measure
from benchmarks.results import Result, Results

_HEAD = """\
# What the machine costs

Measured by `python -m benchmarks`, which writes this page and `results.json`.
A figure is the median of its samples; figures that are compared were sampled in turn. The range is
from the least to the greatest sample. A target that is missed is shown as missed.
Other programs use the machine at the same time: a load above the number of cores makes wall times
longer.
"""


def render(results: Results) -> str:
    """The page that shows `results`."""
    parts = [_HEAD]
    for name, result in results.items():
        parts.append("\n".join([*_heading(name, result), *_table(result.measures)]) + "\n")
    return "\n".join(parts)


def _heading(name: str, result: Result) -> Iterator[str]:
    yield f"## {result.title}"
    yield ""
    yield f"`python -m benchmarks {name}`, {result.date}, took {result.seconds:.0f} s."
    named = {"python": "Python ", "torch": "torch "}
    yield f"{'; '.join(named.get(key, '') + value for key, value in result.machine.items())}."
    yield ""
    if name == "site":
        yield "![Growth of the site's time, size and memory](site_growth.svg)"
        yield ""


def _table(measures: list[Measure]) -> Iterator[str]:
    yield "| what | target | median | range | samples | |"
    yield "|---|---|---|---|---|---|"
    for measure in measures:
        low, high = measure.spread
        spread = f"{_figure(low)} to {_figure(high)}" if len(measure.samples) > 1 else ""
        what = f"{measure.what}<br><small>{measure.note}</small>" if measure.note else measure.what
        cells = (what, _target(measure), f"{_figure(measure.median)} {measure.unit}".strip())
        yield f"| {' | '.join(cells)} | {spread} | {len(measure.samples)} | {_verdict(measure)} |"


def _target(measure: Measure) -> str:
    if measure.target is None:
        return ""
    sign = "≥" if measure.at_least else "<"
    return f"{sign} {_figure(measure.target)} {measure.unit}".strip()


def _verdict(measure: Measure) -> str:
    return {None: "", True: "met", False: "**missed**"}[measure.met]


def _figure(value: float) -> str:
    """Three digits, without an exponent."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.3g}"
