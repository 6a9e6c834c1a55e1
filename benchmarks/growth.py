"""A plot of how the site grows with the catalog, in colours that fit light and dark pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.measures import Measure

_STYLE = """\
<style>
svg { color: #1f2328; background: #fff; font: 12px system-ui, sans-serif }
text { fill: currentColor } .axis { stroke: currentColor; opacity: 0.35 }
.s1 { stroke: #0969da; fill: #0969da } .s2 { stroke: #bc4c00; fill: #bc4c00 }
polyline { fill: none !important; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
svg { color: #e6edf3; background: #0d1117 }
.s1 { stroke: #58a6ff; fill: #58a6ff } .s2 { stroke: #ffa657; fill: #ffa657 }
}
</style>"""
_WIDTH, _HEIGHT, _GAP, _TOP = 230, 170, 70, 40
Points = list[tuple[float, float]]

PANELS = {
    "Processor time (s)": ("processor time",),
    "Peak memory (MB)": ("peak memory",),
    "Size of the site (MB)": ("size of the site",),
}
"""The panels, and the measures that each shows against the number of cases."""


def svg(measures: list[Measure]) -> str:
    """The plot of a site benchmark's measures."""
    width = len(PANELS) * (_WIDTH + _GAP) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT + 100}" '
        'role="img" aria-label="Time, memory and size of the site by the number of cases">',
        _STYLE,
    ]
    for number, (title, names) in enumerate(PANELS.items()):
        left = _GAP * 0.8 + number * (_WIDTH + _GAP)
        parts.append(f'<g transform="translate({left:.0f} {_TOP})">')
        parts += _panel(title, {name: points(measures, name) for name in names})
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def points(measures: list[Measure], name: str) -> Points:
    """The medians of the measures called `NAME, at N cases`, by N."""
    pattern = re.compile(rf"{re.escape(name)}, at (\d+) cases")
    matches = ((pattern.fullmatch(measure.what), measure.median) for measure in measures)
    return sorted((float(match[1]), value) for match, value in matches if match)


def _panel(title: str, lines: dict[str, Points]) -> Iterator[str]:
    right = max((x for line in lines.values() for x, _ in line), default=1.0)
    top = max((y for line in lines.values() for _, y in line), default=1.0)
    yield f'<text x="0" y="-16" font-weight="600">{title}</text>'
    yield f'<path class="axis" d="M0 0V{_HEIGHT}H{_WIDTH}" fill="none"/>'
    for part in (0.5, 1.0):
        y = _HEIGHT * (1 - part)
        yield f'<path class="axis" d="M0 {y:.0f}H{_WIDTH}" stroke-dasharray="2 4"/>'
        yield f'<text x="-6" y="{y + 4:.0f}" text-anchor="end">{top * part:.3g}</text>'
        label = f"{right * part:.0f}" + (" cases" if part == 1 else "")
        x = _WIDTH * part
        yield f'<text x="{x:.0f}" y="{_HEIGHT + 18}" text-anchor="middle">{label}</text>'
    for number, (name, line) in enumerate(lines.items(), 1):
        scaled = [(x / right * _WIDTH, _HEIGHT * (1 - y / top)) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in scaled)
        yield f'<polyline class="s{number}" points="{path}"/>'
        for (x, y), (cases, value) in zip(scaled, line, strict=True):
            said = f"<title>{name}: {value:.3g} at {cases:.0f} cases</title>"
            yield f'<circle class="s{number}" cx="{x:.1f}" cy="{y:.1f}" r="3">{said}</circle>'
