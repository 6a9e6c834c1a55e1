"""A page per case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docsite import links
from docsite.content import Content
from docsite.example import view_of
from docsite.matrix import details, groups, spans
from docsite.page import CATALOG, HOME, Crumb, Page, in_order
from docsite.pages.measures import measures
from docsite.pages.observations import observations
from docsite.pages.related import Related
from docsite.prose import Prose
from validators.catalog import Case
from validators.catalog.example import without_example
from validators.catalog.proof import Proof
from validators.published.standing import Cell, Standing


@dataclass(frozen=True)
class Arm:
    """One function of a proof, with the title that readers see."""

    title: str
    source: str


def case_pages(
    content: Content, prose: Prose, related: Mapping[str, list[Related]]
) -> Iterator[Page]:
    """Every case's page, with the `related` cases; its neighbours are in the catalog's order."""
    pages = [_case_page(content, prose, it, related[it.name]) for it in content.catalog.cases]
    return in_order(pages)


def _case_page(content: Content, prose: Prose, case: Case, related: list[Related]) -> Page:
    standing, proof = content.standings[case.name], content.proofs[case.name]
    path = links.case_page(case.name)
    named = case.meta.graph_break
    practice = case.meta.kind == "practice"
    cells = _cells(content, standing)
    events = content.history.by_case.get(case.name, [])
    mentions = content.mentioned_by.get(case.name, [])
    model = {
        "case": case,
        "standing": standing,
        "groups": groups(cell.column for cell in cells),
        "spans": spans(cells),
        "details": list(details(cells)),
        "body": prose.read(without_example(case.body), case.page, case.body_line, path),
        "example": view_of(case, content.examples.get(case.name)),
        "related": related,
        "arms": _arms(proof, practice, case.meta.about),
        "seen": observations(standing),
        "measures": measures(standing, proof),
        "events": events,
        "break_page": content.addresses.get(("graph_break", named.id), "") if named else "",
        "decides": content.decides.get(case.name, []),
        "documents": content.cited_by.get(case.name, []),
        "mentions": [it for it in mentions if it.name not in {e.entry.name for e in events}],
        "place_of_proof": case.proof.relative_to(content.root),
        "practice": practice,
        "commands": _commands(case),
        "arm_names": ("without", "with") if practice else ("symptom", "remedy"),
    }
    area: Crumb = (case.area.replace("_", " "), links.area_page(case.area))
    source = case.page.relative_to(content.root).as_posix()
    crumbs = (HOME, CATALOG, area)
    return Page(path, case.title, "case", model, crumbs, case.summary, source)


def _cells(content: Content, standing: Standing) -> list[Cell]:
    """The case's cells that have a record, and devices that have not run and that it applies to.

    Releases that decide few cases tell nothing of the others, unless there is no record at all.
    """
    cells = standing.on(content.environments)
    recorded = any(cell.record for cell in cells)

    def tells(cell: Cell) -> bool:
        if cell.column.name:
            return cell.record is not None or not recorded
        return cell.state.key != "na"

    return [cell for cell in cells if tells(cell)]


def _arms(proof: Proof, practice: bool, about: str) -> list[Arm]:
    words = "; it reads the words of a message" if about else ""
    titles = {
        "symptom": "Symptom: without the practice" if practice else "Symptom: what goes wrong",
        "remedy": "Remedy: with the practice" if practice else "Remedy: what makes it go away",
        "shows": f"What decides: true of the symptom, false of the remedy{words}",
    }
    return [Arm(title, proof.source_of(name)) for name, title in titles.items()]


def _commands(case: Case) -> list[str]:
    """The commands with which a reader decides the case."""
    run = f"casebook run {case.name}"
    elsewhere = f"{run} --python /path/to/your/python"
    on_gpu = [f"{elsewhere} --device cuda"] if "cuda" in case.meta.devices else []
    return [run, elsewhere, *on_gpu]
