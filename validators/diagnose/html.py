"""A diagnosis as one HTML file that loads nothing: no script, no font, no image."""

from __future__ import annotations

import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from validators.diagnose.compare_lines import advice, change_line, changed_findings, shown
from validators.diagnose.findings import Diagnosis, Finding
from validators.diagnose.render import SHOWN_FIRST, fix_of, measured_lines, setting
from validators.diagnose.words import plainly
from validators.files import PROGRAM

TEMPLATES = Path(__file__).parent / "templates"


def page(diagnosis: Diagnosis, site: str | None = None) -> str:
    """The diagnosis as a page; `site` is the address of a built site, for links to its cases."""
    ran = [it for it in diagnosis.findings if it.kind != "static"]
    template = _environment().get_template("report.html")
    return template.render(
        diagnosis=diagnosis,
        setting=setting(diagnosis),
        site=site.rstrip("/") if site else "",
        first=ran[:SHOWN_FIRST],
        others=ran[SHOWN_FIRST:],
        guessed=[it for it in diagnosis.findings if it.kind == "static"],
        measured=list(measured_lines(diagnosis)),
        tiles=_tiles(diagnosis),
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "program": PROGRAM,
        "excerpt": excerpt,
        "advice": advice,
        "changed_findings": changed_findings,
        "change_line": change_line,
        "fix_of": fix_of,
        "plainly": plainly,
        "shown": shown,
    }
    return environment


def excerpt(finding: Finding) -> list[tuple[int, str, bool]]:
    """The lines around a finding's place: number, text, and whether it is the place itself."""
    place, around = finding.place, finding.excerpt
    if place is None:
        return []
    if around is None:
        return [(place.line, place.code, True)] if place.code else []
    lines = textwrap.dedent("\n".join(around.lines)).split("\n")
    numbered = enumerate(lines, around.first)
    return [(number, line, number == place.line) for number, line in numbered]


def _tiles(diagnosis: Diagnosis) -> list[tuple[str, Any]]:
    """The numbers on top of the page, as far as they were measured."""
    parts = {it.name: it.measured for it in diagnosis.parts if not it.failure}
    if not (found := parts.get("breaks")):
        return []
    tiles = [
        ("graphs", found["graphs"]),
        ("graph breaks", sum(it["count"] for it in found["breaks"])),
        ("recompiles", sum(it["count"] for it in found["recompiles"])),
    ]
    share = found["compiled_share"]
    return tiles if share is None else [*tiles, ("of the ops run compiled", f"{100 * share:.0f} %")]
