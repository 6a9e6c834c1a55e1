"""Related cases: those that a reader of a case is likely to need, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from docsite.content import Content
from validators.catalog import Case
from validators.catalog.citations import citations

MOST = 6
"""How many related cases a page names at most."""


@dataclass(frozen=True)
class Related:
    """A case, and how it is related to the case of the page."""

    case: Case
    why: str


def related_cases(content: Content) -> dict[str, list[Related]]:
    """At most `MOST` of each case, by its name; those that a log mixes up with it come first."""
    relations = _Relations(content)
    return {case.name: list(islice(relations.of(case), MOST)) for case in content.catalog.cases}


class _Relations:
    """How cases are related, read once for all."""

    def __init__(self, content: Content) -> None:
        self._by_name = content.catalog.by_name
        self._alike = content.made.alike
        self._cites: dict[str, list[str]] = {}
        self._cited_by: dict[str, list[str]] = defaultdict(list)
        self._same_break: dict[str, list[str]] = defaultdict(list)
        for case in content.catalog.cases:
            named = [content.catalog.find(name).name for _, name in citations(case.body)]
            self._cites[case.name] = named
            for name in named:
                self._cited_by[name].append(case.name)
            if case.meta.graph_break:
                self._same_break[case.meta.graph_break.id].append(case.name)

    def of(self, case: Case) -> Iterator[Related]:
        """The related cases, the nearest first, each once."""
        seen = {case.name}
        for name, why in self._candidates(case):
            if name not in seen and not self._by_name[name].retired:
                seen.add(name)
                yield Related(self._by_name[name], why)

    def _candidates(self, case: Case) -> Iterator[tuple[str, str]]:
        yield from ((name, "prints the same line") for name in self._alike[case.name])
        yield from ((name, "named above") for name in self._cites[case.name])
        if it := case.meta.graph_break:
            same = f"the same graph break, {it.id}"
            yield from ((name, same) for name in self._same_break[it.id])
        yield from ((name, "names this page") for name in self._cited_by[case.name])
