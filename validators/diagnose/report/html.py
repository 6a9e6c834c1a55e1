"""A diagnosis as one HTML file that loads nothing: no script, no font, no image."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from validators.catalog import Case
from validators.diagnose.compare.lines import advice, change_line, changed_findings, shown
from validators.diagnose.explaining.located import located_lines
from validators.diagnose.explaining.marks import shape_rows
from validators.diagnose.findings.finding import Diagnosis, Finding
from validators.diagnose.findings.words import plainly
from validators.diagnose.report.render import SHAPES, SHOWN_FIRST, fix_of, measured_lines, setting
from validators.files import PROGRAM

TEMPLATES = Path(__file__).parent / "templates"


_CHANGED = 8
"""The most lines of an example that a finding shows."""


def page(
    diagnosis: Diagnosis, site: str | None = None, cases: Mapping[str, Case] | None = None
) -> str:
    """The diagnosis as a page.

    `site` is the address of a built site, for links to its cases. A finding shows what the fix
    changes in the example of its case, if that is among `cases`.
    """
    named = {it.explanation.case for it in diagnosis.findings} & (cases or {}).keys()
    ran = [it for it in diagnosis.findings if it.kind != "static"]
    template = _environment().get_template("report.html")
    return template.render(
        diagnosis=diagnosis,
        setting=setting(diagnosis),
        site=site.rstrip("/") if site else "",
        first=ran[:SHOWN_FIRST],
        others=ran[SHOWN_FIRST:],
        guessed=[it for it in diagnosis.findings if it.kind == "static"],
        measured=list(measured_lines(diagnosis, without=SHAPES)),
        shapes=_shapes(diagnosis),
        changes={name: list(_changes(cases[name])) for name in named} if cases else {},
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
        "located_lines": located_lines,
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


def _changes(case: Case) -> Iterator[tuple[str, str]]:
    """The lines that the fix changes in the case's example, each with its sign."""
    if case.example is not None:
        changed = (
            (sign, line) for sign, line in case.example.lines if sign != " " and line.strip()
        )
        yield from islice(changed, _CHANGED)


def _shapes(diagnosis: Diagnosis) -> list[tuple[str, ...]]:
    """A row for each mark that was tried."""
    found = next((it.measured for it in diagnosis.parts if it.name == SHAPES), None)
    return list(shape_rows(found)) if found else []
