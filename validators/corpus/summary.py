"""What the records of all models come to: the findings, and what explains them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from msgspec import Struct

from validators.corpus.records.record import ModelRecord
from validators.corpus.settled import Settled, Settlement
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Finding, Place, in_order
from validators.diagnose.parts import of_breaks
from validators.knowing.knowledge import knowledge_of
from validators.match.knowledge import Knowledge
from validators.repository import Repository

Level = Literal["explained", "settled", "suspected", "unknown"]


class Judged(Struct, frozen=True):
    """A finding, and how far it is explained; `case` is the case that explains it, or "".

    "explained" is the word of `diagnose`. "settled": a person read the model's source, and a
    program confirmed the case on this release. The others are open.
    """

    finding: Finding
    level: Level
    case: str

    @property
    def open(self) -> bool:
        """Whether nothing explains it."""
        return self.level in ("suspected", "unknown")


class Row(Struct, frozen=True, kw_only=True):
    """A model in a column: what the compiler did, and how many findings are explained.

    `fix` is "verified", "refused" or "" if nobody has written one.
    """

    model: str
    column: str
    graphs: int
    breaks: int
    recompiles: int
    limits: int
    raised: str
    explained: int
    settled: int
    suspected: int
    unknown: int
    fix: str

    @property
    def findings(self) -> int:
        """How many findings there are."""
        return self.explained + self.settled + self.suspected + self.unknown


class Open(Struct, frozen=True, kw_only=True):
    """Findings at one place that nothing explains, and the models that show them.

    `says` is what torch calls it, `suspected` the nearest case or "".
    """

    kind: str
    place: str
    code: str
    says: str
    suspected: str
    count: int
    models: list[str]


class Judge:
    """Judges the findings of records by the catalog and by what people settled."""

    def __init__(self, repository: Repository, settled: Settled) -> None:
        self.repository, self.settled = repository, settled
        self.used: set[tuple[Path, int]] = set()
        self._explainer = cache(self._new_explainer)

    @cached_property
    def _knowledge(self) -> Knowledge:
        return knowledge_of(self.repository)

    def _new_explainer(self, column: str, torch: str) -> Explainer:
        return Explainer(self._knowledge, column, torch)

    def findings(self, record: ModelRecord) -> list[Judged]:
        """The findings of a record, those that cost most first."""
        explainer = self._explainer(record.column, record.torch)
        calls = {"calls": record.calls, "trains": record.trains}
        found = in_order(list(of_breaks({**calls, **record.breaks}, explainer)))
        judged = [self._judged(it, record.column) for it in found]
        breaks = {it.finding.place: it for it in judged if it.finding.kind == "graph_break"}
        return [_with_its_break(it, breaks) for it in judged]

    def _judged(self, finding: Finding, column: str) -> Judged:
        said = finding.explanation
        if said.known == "explained":
            return Judged(finding, "explained", said.case)
        for file, entries in self.settled.items():
            for number, entry in enumerate(entries):
                if entry.covers(finding):
                    self.used.add((file, number))
                    if self._confirmed(entry, column):
                        return Judged(finding, "settled", entry.case)
        return Judged(finding, said.known, said.case)

    def _confirmed(self, entry: Settlement, column: str) -> bool:
        case = self.repository.catalog.by_name.get(entry.case)
        return case is not None and self.repository.status_of(case, column).state == "confirmed"


def _with_its_break(judged: Judged, breaks: Mapping[Place | None, Judged]) -> Judged:
    """What follows from a graph break is settled with it."""
    before = breaks.get(judged.finding.follows) if judged.finding.follows else None
    return Judged(judged.finding, before.level, before.case) if before else judged


def row_of(record: ModelRecord, judged: Iterable[Judged]) -> Row:
    """The line of a record in the table of all models."""
    levels = [it.level for it in judged]
    found, fix = record.breaks, record.fix
    caught = found["raised"]
    return Row(
        model=record.model,
        column=record.column,
        graphs=found["graphs"],
        breaks=sum(it["count"] for it in found["breaks"]),
        recompiles=sum(it["count"] for it in found["recompiles"]),
        limits=len(found["limits"]),
        raised=caught["type"] if caught else "",
        explained=levels.count("explained"),
        settled=levels.count("settled"),
        suspected=levels.count("suspected"),
        unknown=levels.count("unknown"),
        fix="" if fix is None else ("refused" if fix.refused else "verified"),
    )


def still_open(found: Iterable[tuple[str, Judged]]) -> list[Open]:
    """The open findings of models by place and reason, those of most models first."""
    groups: dict[tuple[str, str, str], list[tuple[str, Judged]]] = defaultdict(list)
    for model, it in found:
        if it.open:
            place = str(it.finding.place) if it.finding.place else ""
            groups[it.finding.kind, place, it.finding.explanation.family].append((model, it))
    opened = [_open(key, members) for key, members in groups.items()]
    return sorted(opened, key=lambda it: (-len(it.models), it.place, it.says))


def _open(key: tuple[str, str, str], members: list[tuple[str, Judged]]) -> Open:
    kind, place, says = key
    first = members[0][1]
    return Open(
        kind=kind,
        place=place,
        code=first.finding.place.code if first.finding.place else "",
        says=says,
        suspected=first.case,
        count=sum(it.finding.count for _, it in members),
        models=sorted({model for model, _ in members}),
    )
