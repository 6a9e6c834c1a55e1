"""Home, the catalog, its areas, graph breaks, and what the words mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from docsite import links
from docsite.content import Content
from docsite.page import ABOUT, BREAKS, CATALOG, HOME, Page
from docsite.status import STATES, Standing, State, cuda_coverage, decided_share
from validators.catalog import Case

RECENT = 12
_HIDDEN_WHEN_EMPTY = ("refuted", "remedy-failed", "unstable", "skipped", "error", "stale", "na")


def index_pages(content: Content) -> Iterator[Page]:
    """The pages that lead to the cases."""
    yield Page(HOME[1], "torch.compile Casebook", "home.md.j2", _home(content))
    model = {"standings": list(content.standings.values()), "columns": content.columns}
    yield Page(CATALOG[1], "All cases", "catalog.md.j2", model, (HOME,))
    for area, cases in content.by_area.items():
        model = {
            "standings": [content.standings[case.name] for case in cases],
            "columns": content.columns,
        }
        title = area.replace("_", " ").capitalize()
        yield Page(links.area_page(area), title, "area.md.j2", model, (HOME, CATALOG))
    breaks = {"breaks": cases_by_break(content), "standings": content.standings}
    yield Page(BREAKS[1], "Graph breaks by id", "breaks.md.j2", breaks, (HOME, CATALOG))
    yield Page(ABOUT[1], "About", "about.md.j2", {"states": list(STATES.values())}, (HOME,))


def cases_by_break(content: Content) -> dict[str, list[Case]]:
    """The cases about each graph break, by its registry id."""
    found: dict[str, list[Case]] = {}
    for case in content.catalog.cases:
        if case.meta.graph_break:
            found.setdefault(case.meta.graph_break.id, []).append(case)
    return dict(sorted(found.items()))


def _home(content: Content) -> dict[str, object]:
    standings = [s for s in content.standings.values() if not s.case.retired]
    decided, meaningful = cuda_coverage(standings)
    recent = sorted((s for s in standings if s.newest), key=lambda s: s.case.name)
    recent.sort(key=lambda s: s.newest, reverse=True)
    totals = _totals(standings)
    present = {key for counts in totals.values() for key in counts}
    return {
        "standings": standings,
        "decided": decided_share(standings)[0],
        "cuda": (decided, meaningful),
        "columns": content.columns,
        "totals": totals,
        "states": _shown_states(present),
        "areas": {
            area: _area([content.standings[case.name] for case in cases])
            for area, cases in content.by_area.items()
        },
        "recent": recent[:RECENT],
        "logs": content.logs[:5],
    }


def _area(standings: Sequence[Standing]) -> tuple[list[tuple[State, int]], int, int]:
    """The area's counts by state, then how many claims CUDA decides, of how many."""
    return _by_state(standings), *cuda_coverage(standings)


def _totals(standings: Sequence[Standing]) -> dict[str, Counter[str]]:
    """How many cases are in each state, by column."""
    totals: dict[str, Counter[str]] = {}
    for standing in standings:
        for cell in standing.cells:
            totals.setdefault(cell.column.name, Counter())[cell.state.key] += 1
    return totals


def _shown_states(present: set[str]) -> list[State]:
    """The states that a column can be in; rare ones only where they occur."""
    return [
        state
        for key, state in STATES.items()
        if key not in ("differs", "retired") and (key in present or key not in _HIDDEN_WHEN_EMPTY)
    ]


def _by_state(standings: Sequence[Standing]) -> list[tuple[State, int]]:
    counts = Counter(standing.overall.key for standing in standings)
    return [(state, counts[key]) for key, state in STATES.items() if counts[key]]
