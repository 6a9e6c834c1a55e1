"""Home, the catalog, its matrix and areas, and what is decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docsite import links, matrix
from docsite.content import Content
from docsite.page import ABOUT, CATALOG, GPU, HOME, MATCH, MATRIX, RELEASES, Page
from docsite.pages.filters import filters, query
from docsite.pages.releases import Upgrade
from validators.evidence.words import STATES
from validators.published.source_claims import totals
from validators.published.standing import cuda_coverage, decided_share


def index_pages(content: Content, found: Sequence[Upgrade]) -> Iterator[Page]:
    """The pages that lead to the cases."""
    standings, areas = content.standings, content.standings_by_area
    yield Page(HOME[1], content.catalog.casebook.title, "home", _home(content, found))
    model = {"standings": list(standings.values()), "filters": filters(content)}
    yield Page(CATALOG[1], "All cases", "catalog", model, (HOME,))
    model = matrix.tallies(content.environments, areas) | {"query": query}
    yield Page(MATRIX[1], "Matrix", "matrix", model, (HOME, CATALOG))
    for area, its in areas.items():
        title = area.replace("_", " ").capitalize()
        model = {"standings": its, **matrix.of_cases(content.environments, its)}
        yield Page(links.area_page(area), title, "area", model, (HOME, CATALOG))
    if first := [(standings[it.case], it.why) for it in content.gpu_order.first]:
        yield Page(GPU[1], GPU[0], "first_on_gpu", {"first": first}, (HOME, CATALOG))
    yield Page(ABOUT[1], "About", "about", _about(content), (HOME,))


def _home(content: Content, found: Sequence[Upgrade]) -> dict[str, object]:
    standings = list(content.standings.values())
    return {
        "about": content.catalog.casebook.about.strip(),
        "said": content.made.search.said,
        "ways": list(_ways(content, found)),
        "changes": [(it.title, it.path, it.counts) for it in found[:1]],
        "logs": content.logs[:4],
        "decided": decided_share(standings),
        "cuda": cuda_coverage(standings),
    }


def _ways(content: Content, found: Sequence[Upgrade]) -> Iterator[tuple[str, str, str]]:
    """Where visitors go from home: a text, a site path and a sentence."""
    yield "I have an error", MATCH[1], "Paste it, and get the fix that was proved for it."
    for way in content.catalog.casebook.ways:
        yield way.title, links.prose_page("guides", way.guide), way.text
    if found:
        yield "I upgrade torch", RELEASES[1], "What got fixed, what broke, and what logs now say."
    yield "I want to look around", CATALOG[1], "All cases, by area, severity and your torch."


def _about(content: Content) -> dict[str, object]:
    standings = [it for it in content.standings.values() if not it.case.retired]
    return {
        "description": content.catalog.casebook.description,
        "standings": standings,
        "first_on_gpu": content.gpu_order.first,
        "decided": decided_share(standings)[0],
        "cuda": cuda_coverage(standings),
        "sources": totals(content.source_claims),
        "states": list(STATES.values()),
    }
