"""What a catalog and its evidence know of the cases."""

from __future__ import annotations

from functools import cache

from validators.families.stored import load_families
from validators.knowing.silent_pages import silent_pages
from validators.match.answers import answer_of
from validators.match.knowledge import Knowledge, Known
from validators.match.making.building import build_index
from validators.match.making.topics import other_pages
from validators.repository import Repository
from validators.verdicts import DECIDED


def knowledge_of(repository: Repository) -> Knowledge:
    """The knowledge of a catalog; evidence is read only for the cases that are asked for.

    Raises:
        CasebookError: a file beside the catalog that the search needs cannot be read.
    """

    @cache
    def find(name: str) -> Known | None:
        case = repository.catalog.by_name.get(name)
        if case is None:
            return None
        states = repository.states_of(case)
        meta = case.meta
        return Known(
            answer=answer_of(case, {name: it for name, it in states.items() if it in DECIDED}),
            kind=meta.kind,
            severity=meta.severity,
            signatures=meta.signatures,
            code=meta.code,
            graph_break=meta.graph_break.type if meta.graph_break else "",
            eager_raises=meta.eager_raises,
        )

    families = load_families(repository.playbooks)
    others = [*other_pages(repository), *silent_pages(repository.playbooks)]
    index = build_index(repository.catalog, others, families)
    return Knowledge(index, find)
