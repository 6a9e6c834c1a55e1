"""Small drawings of numbers, written by hand: a label, a mark and the number as text.

Colours come from the page's style sheet. What is drawn is also the drawing's accessible name.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

WIDTH = 300
_LEFT, _ROOM = 62, 168
"""Where marks begin, and how much room they have; the number stands after them."""
_ROW, _LABEL = 18, 22
_STEP_HEIGHT = 14
_GAP, _DIGITS, _SUM = 3, 12, 54
"""Between steps; what a step needs for its number; what the sum of all needs instead."""
_SIDES = "cb-s", "cb-r"
_UNITS = (1, "s"), (1e-3, "ms"), (1e-6, "µs")


@dataclass(frozen=True)
class Group:
    """What both arms say in the columns that `label` names."""

    label: str
    symptom: Any
    remedy: Any

    @property
    def sides(self) -> tuple[Any, Any]:
        """The symptom's, then the remedy's."""
        return self.symptom, self.remedy


Arms = tuple[str, str]


def bars(unit: str = "") -> Callable[[str, list[Group], Arms], Markup]:
    """A drawing of one number a side: a bar as long as it is large."""

    def draw(title: str, groups: list[Group], arms: Arms) -> Markup:
        most = max(value for group in groups for value in group.sides) or 1

        def row(value: float, y: int) -> tuple[Markup, int]:
            length = _at(value / most * _ROOM)
            mark = _f('<path d="M{} {}h{}v10h-{}z"/>', _LEFT, y + 4, length, length)
            end = _f('<text x="{}" y="{}">{}</text>', _LEFT + length + 5, y + 13, text(value))
            return mark + end, _ROW

        def text(value: float) -> str:
            return f"{written(value)} {unit}".strip()

        return _figure(title, groups, arms, row, text)

    return draw


def steps(title: str, groups: list[Group], arms: Arms) -> Markup:
    """A drawing of one count a call: small columns in the order of the calls."""
    calls = max(len(side) for group in groups for side in group.sides)
    most = max((value for group in groups for side in group.sides for value in side), default=0)
    width = min(20, (WIDTH - _LEFT - _SUM) // max(calls, 1))

    def row(counts: Sequence[int], y: int) -> tuple[Markup, int]:
        base, marks = y + _ROW + _STEP_HEIGHT - 4, [Markup("")]
        for index, count in enumerate(counts):
            x, height = _LEFT + index * width, _at(count / (most or 1) * _STEP_HEIGHT)
            if count:
                marks.append(_f("M{} {}v-{}h{}v{}z", x, base, height, width - _GAP, height))
        line = _f('<path class="cb-axis" d="M{} {}h{}"/>', _LEFT, base + 1, len(counts) * width)
        drawn = _f('<path d="{}"/>', Markup("").join(marks)) + line
        return drawn + _numbers(counts, width, base, most), _ROW + _STEP_HEIGHT

    return _figure(title, groups, arms, row, _sequence)


def _numbers(counts: Sequence[int], width: int, base: float, most: int) -> Markup:
    """Each count above its mark, or where there is no room for them their sum behind all."""
    if width < _DIGITS:
        end = _LEFT + len(counts) * width + 4
        return _f('<text x="{}" y="{}">{} in all</text>', end, base, sum(counts))
    cells = [
        _f(
            '<text class="cb-n{}" x="{}" y="{}">{}</text>',
            "" if count else " cb-zero",
            _at(_LEFT + index * width + (width - _GAP) / 2),
            base - _at(count / (most or 1) * _STEP_HEIGHT) - 3,
            count,
        )
        for index, count in enumerate(counts)
    ]
    return Markup("").join(cells)


def samples(title: str, groups: list[Group], arms: Arms) -> Markup:
    """A drawing of times: a dot a sample from 0 on, and a stroke at their median."""
    most = max(value for group in groups for side in group.sides for value in side) or 1

    def row(times: Sequence[float], y: int) -> tuple[Markup, int]:
        places = dict.fromkeys(_at(_LEFT + time / most * _ROOM) for time in times)
        dots = Markup("").join(_f("M{} {}h0", x, y + 9) for x in places)
        median = _at(_LEFT + statistics.median(times) / most * _ROOM)
        drawn = _f('<path class="cb-dots" d="{}"/>', dots)
        drawn += _f('<path class="cb-median" d="M{} {}v14"/>', median, y + 2)
        end = _LEFT + _at(max(times) / most * _ROOM) + 7
        median_text = seconds(statistics.median(times))
        return drawn + _f('<text x="{}" y="{}">{}</text>', end, y + 13, median_text), _ROW

    return _figure(title, groups, arms, row, _spread)


def _figure(
    title: str,
    groups: list[Group],
    arms: Arms,
    row: Callable[[Any, int], tuple[Markup, int]],
    text: Callable[[Any], str],
) -> Markup:
    parts, y, said = [], 0, []
    for group in groups:
        if len(groups) > 1:
            y += _LABEL
            label = _f('<text class="cb-where" y="{}">torch {}</text>', y - 6, _short(group.label))
            parts.append(label)
        place = f"On torch {group.label}: " if len(groups) > 1 else ""
        words = [f"{arm} {text(side)}" for arm, side in zip(arms, group.sides, strict=True)]
        said.append(f"{place}{'; '.join(words)}.")
        for arm, side, style in zip(arms, group.sides, _SIDES, strict=True):
            drawn, height = row(side, y)
            name = _f('<text y="{}">{}</text>', y + height - 5, arm)
            parts.append(_f('<g class="{}">{}{}</g>', style, name, drawn))
            y += height
    return _f(
        '<svg viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>',
        *(WIDTH, y, WIDTH, y),
        f"{title}. {' '.join(said)}",
        Markup("").join(parts),
    )


def written(value: float) -> str:
    """A number for readers: 1,943, but 0.0312."""
    if value == int(value):
        return f"{int(value):,}" if value < 1e9 else f"{value:.3g}"
    return f"{value:,.1f}" if value >= 100 else f"{value:.3g}"


def seconds(value: float) -> str:
    """A time in the unit that leaves it readable."""
    scale, unit = next((known for known in _UNITS if value >= known[0]), _UNITS[-1])
    return f"{value / scale:.3g} {unit}"


def _spread(times: Sequence[float]) -> str:
    low, middle, high = min(times), statistics.median(times), max(times)
    return (
        f"median {seconds(middle)} of {len(times)} samples from {seconds(low)} to {seconds(high)}"
    )


def _sequence(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts)) or "no call"


def _short(label: str) -> str:
    return label if len(label) <= 44 else label[:43] + "…"


def _at(value: float) -> float:
    """A place in the drawing, to the tenth of a pixel, whole numbers without a point."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _f(template: str, *values: Any) -> Markup:
    return Markup(template).format(*values)
