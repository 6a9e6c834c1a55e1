"""Related cases: those that a reader of a case is likely to need, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docsite.content import Content
from validators.catalog import Case
from validators.collected import collected

MOST = 6
"""How many related cases a page names at most."""


@dataclass(frozen=True)
class Related:
    """A case, and how it is related to the case of the page."""

    case: Case
    why: str


def related_cases(content: Content) -> dict[str, list[Related]]:
    """At most `MOST` of each case, by its name; those that a log mixes up with it come first."""
    cites = {it.name: content.cited_in(it.body) for it in content.catalog.cases}
    cited_by = collected((cited, name) for name, names in cites.items() for cited in names)

    def candidates(case: Case) -> Iterator[tuple[str, str]]:
        yield from ((name, "prints the same line") for name in content.made.alike[case.name])
        yield from ((name, "named above") for name in cites[case.name])
        if it := case.meta.graph_break:
            same = f"the same graph break, {it.id}"
            yield from ((other.name, same) for other in content.by_break[it.id])
        yield from ((name, "names this page") for name in cited_by.get(case.name, ()))

    return {it.name: _nearest(content, it, candidates(it)) for it in content.catalog.cases}


def _nearest(content: Content, case: Case, candidates: Iterator[tuple[str, str]]) -> list[Related]:
    """The first of `candidates`, each case once, without `case` and retired ones."""
    found: dict[str, Related] = {}
    for name, why in candidates:
        other = content.catalog.by_name[name]
        if other is not case and not other.retired:
            found.setdefault(name, Related(other, why))
    return list(found.values())[:MOST]
