"""Which findings of plain programs a case explains, and which are open."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from validators.plain.known import Known
from validators.plain.record import Finding, Kind, PlainRecord, findings
from validators.repository import Repository


class PlainFinding(Struct, frozen=True, kw_only=True):
    """A finding, the modes that show it, and the case that explains it, "" if none does."""

    kind: Kind
    says: str
    modes: list[str]
    case: str = ""


class Judge:
    """Judges findings by what people know of them; `used` holds the numbers of needed entries.

    An entry counts in the columns where a program confirmed its case.
    """

    def __init__(self, repository: Repository, known: Sequence[Known]) -> None:
        self._repository, self._known = repository, known
        self.used: set[int] = set()

    def judged(self, program: str, column: str, record: PlainRecord) -> list[PlainFinding]:
        """The findings of a program in a column."""
        return [
            PlainFinding(
                kind=it.kind, says=it.says, modes=modes, case=self._case_of(program, column, it)
            )
            for it, modes in sorted(findings(record).items())
        ]

    def _case_of(self, program: str, column: str, finding: Finding) -> str:
        for number, entry in enumerate(self._known):
            if entry.covers(program, finding):
                self.used.add(number)
                if self._confirmed(entry.case, column):
                    return entry.case
        return ""

    def _confirmed(self, name: str, column: str) -> bool:
        case = self._repository.catalog.by_name.get(name)
        return case is not None and self._repository.status_of(case, column).state == "confirmed"
