"""A repository of claims, read once: what `check` and the site both start from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from validators.catalog import Case, Catalog, load_catalog
from validators.errors import Problem
from validators.evidence import Evidence, Freshness, Record, load_evidence, overlaid
from validators.evidence.status import State, Status, explained, status_on
from validators.evidence.stored.examples import Examples, load_examples, overlaid_examples, run_on

# Imported again where they are used, so that a command imports only the parts that it needs.
if TYPE_CHECKING:
    from validators.catalog.documents import Document
    from validators.catalog.gpu_order import GpuOrder
    from validators.catalog.logs import LogEntry
    from validators.catalog.prose import Prose
    from validators.catalog.sources import Source
    from validators.evidence.stored.soaks import Soaks


class Repository:
    """What people and machines wrote around one catalog; each part is read on first use.

    `overlays` are folders of evidence that take precedence over the committed one, and later ones
    over earlier ones. With `whole` all reports are read with the records, so that damage shows.
    """

    def __init__(
        self, catalog: Path, overlays: Iterable[Path] = (), *, whole: bool = False
    ) -> None:
        self.catalog_root, self.overlays, self.whole = catalog, tuple(overlays), whole
        self.playbooks, self.root = catalog.parent, catalog.parent.parent
        self.committed = self.playbooks / "evidence"
        self._statuses: dict[str, dict[str, Status]] = {}

    @cached_property
    def catalog(self) -> Catalog:
        """The cases that can be read.

        Raises:
            CasebookError: the catalog is not a folder.
        """
        return load_catalog(self.catalog_root)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of a case, even if its page cannot be read."""
        pages = {page.stem for page in self.catalog_root.glob("*/*.md")}
        return frozenset(pages | self.catalog.by_alias.keys())

    @cached_property
    def evidence(self) -> Evidence:
        """The record of each case in each column."""
        found = self._committed[0]
        for local, _ in self._local:
            found = overlaid(found, local, self.catalog.by_name, self.freshness)
        return found

    @cached_property
    def examples(self) -> Examples:
        """The runs of examples, by case."""
        found = self._examples[0]
        for folder in self.overlays:
            local = load_examples(folder, [])
            found = overlaid_examples(found, local, self.catalog.by_name)
        return found

    @property
    def soaks(self) -> Soaks:
        """The soaks of examples, by case."""
        return self._soaks[0]

    @cached_property
    def freshness(self) -> Freshness:
        """Tells which records are current."""
        return Freshness(self.catalog_root)

    def status_of(self, case: Case, column: str) -> Status:
        """The status of one case in a column."""
        known = self.statuses_of(case)
        return known[column] if column in known else self._status_on(case, column)

    def states_of(self, case: Case) -> dict[str, State]:
        """The state of one case in each column that knows it."""
        return {column: it.state for column, it in self.statuses_of(case).items()}

    def current_records(self, case: Case) -> list[Record]:
        """The records of one case that are about it as it is."""
        known = self.statuses_of(case).values()
        return [it.record for it in known if it.record and it.state != "stale"]

    def statuses_of(self, case: Case) -> dict[str, Status]:
        """The status of one case in each column that knows it."""
        if case.name not in self._statuses:
            columns = self._columns.get(case.name, ())
            found = {column: self._status_on(case, column) for column in columns}
            self._statuses[case.name] = explained(case, found)
        return self._statuses[case.name]

    def _status_on(self, case: Case, column: str) -> Status:
        """The status by what evidence holds in this column alone."""
        record = self.evidence.get((case.name, column))
        example = run_on(self.examples, case.name, column)
        return status_on(case, column, record, self.freshness, example)

    @cached_property
    def _columns(self) -> dict[str, list[str]]:
        """The columns that know each case."""
        found: dict[str, list[str]] = {}
        for case, column in self.evidence:
            found.setdefault(case, []).append(column)
        return found

    @property
    def damaged(self) -> list[Problem]:
        """The damaged files of evidence."""
        return [*self._committed[1], *self.damaged_locally]

    @property
    def damaged_locally(self) -> list[Problem]:
        """The damaged files of the overlays; this machine can run their cases again."""
        return [problem for _, damaged in self._local for problem in damaged]

    @cached_property
    def logs(self) -> list[LogEntry]:
        """The entries of the experiment log, newest first."""
        return self._logs[0]

    @cached_property
    def sources(self) -> list[Source]:
        """The source documents and their claims."""
        return self._sources[0]

    @cached_property
    def gpu_order(self) -> GpuOrder:
        """The cases that a GPU decides first."""
        return self._gpu_order[0]

    @cached_property
    def guides(self) -> list[Document]:
        """The guides."""
        return self._guides[0]

    @cached_property
    def skills(self) -> list[Document]:
        """The files of the skills."""
        return self._skills[0]

    @cached_property
    def prose(self) -> list[Prose]:
        """All prose that may cite cases, as written."""
        from validators.catalog.prose import load_prose

        return load_prose(self.root, self.catalog)

    @cached_property
    def problems(self) -> list[Problem]:
        """Defects that keep a file from being read, and names of cases that do not exist."""
        return [
            *self.catalog.problems_beside(self.logs),
            *self._logs[1],
            *self._sources[1],
            *self._gpu_order[1],
            *self._guides[1],
            *self._skills[1],
            *self._committed[1],
            *self._examples[1],
            *self._soaks[1],
            *self._misnamed(),
        ]

    def _misnamed(self) -> Iterator[Problem]:
        from validators.catalog.gpu_order import unfit_for_gpu
        from validators.catalog.logs import unknown_cases
        from validators.catalog.prose import unknown_citations
        from validators.catalog.sources import unfit_deciders

        for entry in self.logs:
            yield from unknown_cases(entry, self.names)
        for source in self.sources:
            yield from unfit_deciders(source, self.catalog.by_any_name, self.names)
        yield from unfit_for_gpu(self.gpu_order, self.catalog.by_name, self.names)
        for page in self.prose:
            yield from unknown_citations(page, self.names)

    @cached_property
    def _committed(self) -> tuple[Evidence, list[Problem]]:
        return self._evidence_in(self.committed)

    @cached_property
    def _examples(self) -> tuple[Examples, list[Problem]]:
        damaged: list[Problem] = []
        return load_examples(self.committed, damaged), damaged

    @cached_property
    def _soaks(self) -> tuple[Soaks, list[Problem]]:
        from validators.evidence.stored.soaks import load_soaks

        damaged: list[Problem] = []
        return load_soaks(self.committed, damaged), damaged

    @cached_property
    def _local(self) -> list[tuple[Evidence, list[Problem]]]:
        return [self._evidence_in(folder) for folder in self.overlays]

    def _evidence_in(self, folder: Path) -> tuple[Evidence, list[Problem]]:
        damaged: list[Problem] = []
        return load_evidence(folder, damaged, whole=self.whole), damaged

    @cached_property
    def _logs(self) -> tuple[list[LogEntry], list[Problem]]:
        from validators.catalog.logs import load_logs

        return load_logs(self.playbooks / "logs")

    @cached_property
    def _sources(self) -> tuple[list[Source], list[Problem]]:
        from validators.catalog.sources import load_sources

        return load_sources(self.playbooks / "sources")

    @cached_property
    def _gpu_order(self) -> tuple[GpuOrder, list[Problem]]:
        from validators.catalog.gpu_order import load_gpu_order

        return load_gpu_order(self.playbooks)

    @cached_property
    def _guides(self) -> tuple[list[Document], list[Problem]]:
        from validators.catalog.documents import load_documents

        return load_documents(self.playbooks, "guides")

    @cached_property
    def _skills(self) -> tuple[list[Document], list[Problem]]:
        from validators.catalog.documents import load_documents

        return load_documents(self.root, "skills")
