"""Which case explains what torch said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from validators.catalog import Case
from validators.diagnose.findings import Explanation
from validators.evidence.record import DECIDED
from validators.match import build_index, search
from validators.match.answers import Answer, answer_of, status_on
from validators.repository import Repository


class Explainer:
    """Explains texts by the catalog and its evidence, for one column; "" where it is not known.

    Then no case is more than suspected, and an explanation says what all columns decided.
    """

    def __init__(self, repository: Repository, column: str, torch: str) -> None:
        self.repository, self.column = repository, column
        self.release = torch.partition("+")[0]
        self.index = build_index(repository.catalog)

    def of_text(self, text: str, family: str, code: Sequence[str] = ()) -> Explanation:
        """The best explanation of what torch printed; `family` is what torch calls it.

        `code` has the lines of the user's code that led there, innermost first.
        """
        lines = text.splitlines()
        found = search(self.index, enumerate([*lines, *code], 1)).matches
        cases = [self.repository.catalog.by_name[it.case] for it in found if it.lines]
        signed = [it for it in cases if _signed(it, lines) and _written(it, code)]
        if not cases:
            return Explanation("unknown", family)
        # A page that looks at the code as well is about less than one that does not.
        case = min(signed, key=lambda it: not it.meta.code, default=cases[0])
        known = case in signed and self._confirmed(case) and not _rivals(case, signed)
        return self._about(case, family, known)

    def of_case(self, name: str, family: str = "", known: bool = False) -> Explanation:
        """The explanation by a case that is known by its name; another catalog may lack it."""
        case = self.repository.catalog.by_name.get(name)
        if case is None:
            return Explanation("unknown", family or name)
        return self._about(case, family, known=known and self._confirmed(case))

    def _confirmed(self, case: Case) -> bool:
        return self.repository.status_of(case, self.column).state == "confirmed"

    def _about(self, case: Case, family: str, known: bool) -> Explanation:
        states = self.repository.states_of(case)
        answer = answer_of(case, {name: it for name, it in states.items() if it in DECIDED})
        return Explanation(
            known="explained" if known else "suspected",
            family=family,
            case=case.name,
            title=answer.title,
            fix=answer.fix,
            there=status_on(answer, self.release) if self.release else _everywhere(answer),
            severity=case.meta.severity,
        )


def _everywhere(answer: Answer) -> str:
    """What all columns decided, for a release that is not known."""
    columns: dict[str, list[str]] = {}
    for column, verdict in answer.decided.items():
        columns.setdefault(verdict, []).append(column)
    return "; ".join(f"{verdict} on {', '.join(its)}" for verdict, its in columns.items())


def _signed(case: Case, lines: list[str]) -> bool:
    return any(re.search(it, line) for line in lines for it in case.meta.signatures)


def _written(case: Case, code: Sequence[str]) -> bool:
    """Whether the innermost line of the user's code fits the case, if the case says what does."""
    return not case.meta.code or any(
        re.search(it, line) for line in code[:1] for it in case.meta.code
    )


def _rivals(case: Case, signed: list[Case]) -> bool:
    """Whether another limitation that looks as closely is about the same type of graph break."""
    return case.meta.graph_break is not None and any(
        it is not case
        and it.meta.kind == "limitation"
        and it.meta.graph_break is not None
        and it.meta.graph_break.type == case.meta.graph_break.type
        and bool(it.meta.code) == bool(case.meta.code)
        for it in signed
    )
