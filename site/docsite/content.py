"""Everything that the site is made of, read and checked before a page is written."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from docsite.documents import Document, load_documents
from docsite.log.history import History, history_of
from docsite.matrix import DEVICES, environments
from docsite.source_claims import Judged, judge
from docsite.status import Standing, standing
from validators.catalog import Case, Catalog, load_catalog
from validators.catalog.citations import citations
from validators.catalog.gpu_order import FirstCase, load_gpu_order, unfit_for_gpu
from validators.catalog.logs import LogEntry, load_logs, unknown_cases
from validators.catalog.proof import InvalidProof, Proof, read_proof
from validators.catalog.sources import Source, load_sources, unfit_deciders
from validators.errors import CasebookError, Problem
from validators.evidence import Evidence, load_evidence
from validators.evidence.columns import Column, in_order

_log = logging.getLogger(__name__)


Text = TypeVar("Text", Document, LogEntry)


@dataclass(frozen=True)
class Content:
    """The catalog, its evidence and all prose around it."""

    catalog: Catalog
    evidence: Evidence
    proofs: dict[str, Proof]
    logs: tuple[LogEntry, ...]
    guides: tuple[Document, ...]
    skills: tuple[Document, ...]
    sources: tuple[Source, ...]
    first_on_gpu: tuple[FirstCase, ...]

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that hold a record of a case of this catalog."""
        known = self.catalog.by_name
        return in_order(name for case, name in self.evidence if case in known)

    @cached_property
    def devices(self) -> list[str]:
        """The devices on which some claim has a meaning, the CPU first."""
        meant = {device for case in self.catalog.cases for device in case.meta.devices}
        return [device for device in DEVICES if device in meant]

    @cached_property
    def environments(self) -> list[Column]:
        """The columns of tables: a device that has not run is among them."""
        return environments(self.columns, self.devices)

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """What is known of each case, by name."""
        root = self.catalog.root
        return {
            case.name: standing(case, self.columns, self.evidence, root)
            for case in self.catalog.cases
        }

    @cached_property
    def newest(self) -> str:
        """The latest day that any record or log entry carries."""
        days = [s.newest for s in self.standings.values()]
        return max([*days, *(str(entry.meta.date) for entry in self.logs)], default="")

    @cached_property
    def by_area(self) -> dict[str, list[Case]]:
        """The cases by area, areas in the catalog's order, empty ones left out."""
        areas: dict[str, list[Case]] = {}
        for case in self.catalog.cases:
            areas.setdefault(case.area, []).append(case)
        return areas

    @cached_property
    def standings_by_area(self) -> dict[str, list[Standing]]:
        """The standings by area, in the order of `by_area`."""
        return {
            area: [self.standings[case.name] for case in cases]
            for area, cases in self.by_area.items()
        }

    @cached_property
    def judged(self) -> dict[str, list[Judged]]:
        """What came of each source document's claims, by the document's name."""
        known = self._standings_by_any_name
        return {source.name: judge(source, known) for source in self.sources}

    @cached_property
    def _standings_by_any_name(self) -> dict[str, Standing]:
        cases = self.catalog.by_any_name.items()
        return {name: self.standings[case.name] for name, case in cases}

    @cached_property
    def source_claims(self) -> list[Judged]:
        """The claims of all source documents, document by document."""
        return [it for judged in self.judged.values() for it in judged]

    @cached_property
    def decides(self) -> dict[str, list[Judged]]:
        """The claims of source documents that each case decides, by its name."""
        found: dict[str, list[Judged]] = {}
        for it in self.source_claims:
            for decider in it.deciders:
                found.setdefault(decider.case.name, []).append(it)
        return found

    @cached_property
    def cited_by(self) -> dict[str, list[Document]]:
        """The guides and skills that cite each case, by name."""
        return self._citing((*self.guides, *self.skills))

    @cached_property
    def mentioned_by(self) -> dict[str, list[LogEntry]]:
        """The log entries that cite each case, newest first, by name."""
        return self._citing(self.logs)

    @cached_property
    def history(self) -> History:
        """What the log did to the cases."""
        return history_of(self.logs, self._standings_by_any_name)

    def _citing(self, texts: Iterable[Text]) -> dict[str, list[Text]]:
        found: dict[str, list[Text]] = {}
        for text in texts:
            names = (self.catalog.find(cited).name for _, cited in citations(text.body))
            for name in dict.fromkeys(names):
                found.setdefault(name, []).append(text)
        return found


class Defects(CasebookError):
    """Content that cannot be shown; the message has a line for each `Problem`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))


def load(catalog: Path, evidence: Iterable[Path]) -> Content:
    """Read the catalog at `catalog`, the prose beside it, and evidence that overlays the committed.

    Raises:
        CasebookError: a folder is missing, or content has defects, a sentence for each.
    """
    folders = list(evidence)
    for folder in folders:
        if not folder.is_dir():
            raise CasebookError(
                f"{folder}: is not a folder; name a folder of records to --evidence"
            )
    playbooks = catalog.parent
    cases = load_catalog(catalog)
    logs, log_problems = load_logs(playbooks / "logs")
    problems = [*cases.problems_beside(logs), *log_problems]
    sources, source_problems = load_sources(playbooks / "sources")
    order, order_problems = load_gpu_order(playbooks)
    problems += [*source_problems, *order_problems, *unfit_for_gpu(order, cases.by_name)]
    guides, guide_problems = load_documents(playbooks, "guides")
    skills, skill_problems = load_documents(playbooks.parent, "skills")
    problems += [*guide_problems, *skill_problems]
    proofs = dict(_proofs(cases, problems))
    names = [*cases.by_name, *cases.by_alias]
    problems += [p for entry in logs for p in unknown_cases(entry, names)]
    problems += [p for source in sources for p in unfit_deciders(source, cases.by_any_name)]
    prose = [(entry.path, entry.body_line, entry.body) for entry in logs]
    prose += [(d.path, d.body_line, d.body) for d in (*guides, *skills)]
    prose += [(case.page, case.body_line, case.body) for case in cases.cases]
    problems += [p for place in prose for p in _unknown_citations(*place, set(names))]
    problems += _unknown_successors(cases)
    damaged: list[Problem] = []
    committed = playbooks / "evidence"
    records = load_evidence(committed, *folders, damaged=damaged)
    problems += [problem for problem in damaged if problem.path.parent == committed]
    if problems:
        raise Defects(problems)
    # A line of a machine's own run can be made again; it does not keep the site from being built.
    for problem in damaged:
        _log.warning("Error: %s", problem)
    return Content(
        cases,
        records,
        proofs,
        tuple(logs),
        tuple(guides),
        tuple(skills),
        tuple(sources),
        order.first,
    )


def _proofs(catalog: Catalog, problems: list[Problem]) -> Iterator[tuple[str, Proof]]:
    for case in catalog.cases:
        try:
            yield case.name, read_proof(case.proof)
        except InvalidProof as error:
            problems.append(error.problem)


def _unknown_citations(path: Path, first: int, body: str, names: set[str]) -> Iterator[Problem]:
    for line, name in citations(body):
        if name not in names:
            message = f"cites `case:{name}`, which is no case; fix the name"
            yield Problem(path, first + line - 1, message)


def _unknown_successors(catalog: Catalog) -> Iterator[Problem]:
    for case in catalog.cases:
        successor = case.meta.superseded_by
        if successor and successor not in catalog.by_name:
            message = f"`superseded_by`: there is no case {successor!r}; name one"
            yield Problem(case.page, 1, message)
