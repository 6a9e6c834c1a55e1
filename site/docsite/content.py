"""Everything that the site is made of, read and checked before a page is written."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from docsite import links
from docsite.matrix import DEVICES, environments, releases_of
from validators.catalog import Case, casebook
from validators.catalog.citations import citations
from validators.catalog.documents import Document
from validators.catalog.logs import LogEntry
from validators.catalog.page import line_of
from validators.catalog.proof import InvalidProof, Proof, read_proof
from validators.collected import collected
from validators.errors import CasebookError, Problem
from validators.evidence.columns import Column, in_order
from validators.families import Name, Vocabulary, vocabulary_of
from validators.published import Made, make
from validators.published.history import History, history_of
from validators.published.source_claims import Judged, judge
from validators.published.standing import Standing, standing, standing_by_example
from validators.repository import Repository

_log = logging.getLogger(__name__)
Text = TypeVar("Text", Document, LogEntry)


class Content(Repository):
    """The repository, and what the site works out from it."""

    @property
    def proofs(self) -> dict[str, Proof]:
        """The proof of each case, by name."""
        return self._proofs[0]

    @cached_property
    def _proofs(self) -> tuple[dict[str, Proof], list[Problem]]:
        found, problems = dict[str, Proof](), list[Problem]()
        for case in self.catalog.cases:
            try:
                found[case.name] = read_proof(case.proof)
            except InvalidProof as error:
                problems.append(error.problem)
        return found, problems

    @cached_property
    def made(self) -> Made:
        """What programs work out before the pages."""
        return make(self)

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that hold a record of a case of this catalog."""
        known = self.catalog.by_name
        return in_order(name for case, name in self.evidence if case in known)

    @cached_property
    def releases(self) -> list[str]:
        """The releases that any column has, oldest first."""
        return releases_of(self.columns)

    @cached_property
    def ran(self) -> dict[str, list[str]]:
        """The releases that ran on each device, oldest first."""
        return {
            device: releases_of([it for it in self.columns if it.device == device])
            for device in self.devices
        }

    @cached_property
    def devices(self) -> list[str]:
        """The devices on which some claim has a meaning, the CPU first."""
        meant = {device for case in self.catalog.cases for device in case.meta.devices}
        return [device for device in DEVICES if device in meant]

    @cached_property
    def environments(self) -> list[Column]:
        """The columns of tables, including devices that have not run."""
        return environments(self.columns, self.devices)

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """The standing of each case, by name."""
        return {case.name: standing(case, self.columns, self) for case in self.catalog.cases}

    @cached_property
    def illustrated(self) -> dict[str, Standing]:
        """The standing of each illustration, by name."""
        return {
            page.name: standing_by_example(page, self.columns, self.examples)
            for page in self.vocabulary.illustrations
        }

    @cached_property
    def by_break(self) -> dict[str, list[Case]]:
        """The cases about each graph break, by its registry id."""
        breaks = ((case.meta.graph_break, case) for case in self.catalog.cases)
        return dict(sorted(collected((it.id, case) for it, case in breaks if it).items()))

    @cached_property
    def standings_by_area(self) -> dict[str, list[Standing]]:
        """The standings by area, areas in the catalog's order, empty ones left out."""
        return collected((it.case.area, it) for it in self.standings.values())

    @cached_property
    def judged(self) -> dict[str, list[Judged]]:
        """The outcomes of each source document's claims, by the document's name."""
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
        return collected((by.case.name, it) for it in self.source_claims for by in it.deciders)

    @cached_property
    def cited_by(self) -> dict[str, list[Document]]:
        """The guides and skills that cite each case, by name."""
        return self._citing([*self.guides, *self.skills])

    @cached_property
    def mentioned_by(self) -> dict[str, list[LogEntry]]:
        """The log entries that cite each case, newest first, by name."""
        return self._citing(self.logs)

    @cached_property
    def met(self) -> Counter[str]:
        """In how many users' logs each case is the answer, by its name."""
        file = self.playbooks / "judged" / "user_logs.jsonl"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return Counter(name for line in lines for name in json.loads(line).get("expect", ()))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the compiler can say, and the cases that cause it."""
        return vocabulary_of(self)

    @cached_property
    def addresses(self) -> dict[Name, str]:
        """The site path of each message that has a page."""
        return links.message_pages(self.vocabulary.families)

    @cached_property
    def history(self) -> History:
        """What the log did to the cases."""
        return history_of(self.logs, self._standings_by_any_name)

    def cited_in(self, text: str) -> list[str]:
        """The names of the cases that `text` cites, each once."""
        return list(dict.fromkeys(self.catalog.find(name).name for _, name in citations(text)))

    @property
    def defects(self) -> list[Problem]:
        """What keeps the site from being built."""
        return [*self.problems, *self._proofs[1], *self._ways_to_nowhere()]

    def _ways_to_nowhere(self) -> Iterator[Problem]:
        file = self.playbooks / casebook.FILE
        known = {guide.name for guide in self.guides}
        for way in self.catalog.casebook.ways:
            if way.guide not in known:
                message = f"`ways`: no guide is called {way.guide!r}; name one that exists"
                yield Problem(file, line_of(file.read_text(encoding="utf-8"), "ways") - 1, message)

    def _citing(self, texts: Iterable[Text]) -> dict[str, list[Text]]:
        return collected((name, text) for text in texts for name in self.cited_in(text.body))


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
            raise CasebookError(f"{folder}: is not a folder; give --evidence a folder of records")
    content = Content(catalog, folders, whole=True)
    if content.defects:
        raise Defects(content.defects)
    # A run can make this machine's own records again, so damage to them does not stop the build.
    for problem in content.damaged_locally:
        _log.warning("Error: %s", problem)
    return content
