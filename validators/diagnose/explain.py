"""Which case explains what torch said."""

from __future__ import annotations

import re

from validators.catalog import Case
from validators.diagnose.findings import Explanation
from validators.evidence.record import DECIDED
from validators.match import build_index, search
from validators.match.answers import answer_of, status_on
from validators.repository import Repository


class Explainer:
    """Explains texts by the catalog and its evidence, for one column."""

    def __init__(self, repository: Repository, column: str, torch: str) -> None:
        self.repository, self.column = repository, column
        self.release = torch.partition("+")[0]
        self.index = build_index(repository.catalog)

    def of_text(self, text: str, family: str, code: str = "") -> Explanation:
        """The best explanation of what torch printed about `code`; `family` is what torch calls it.

        The code only helps to choose between cases that torch's words leave open.
        """
        lines = text.splitlines()
        told = enumerate([*lines, *code.splitlines()], 1)
        found = [it for it in search(self.index, told).matches if it.lines]
        cases = [self.repository.catalog.by_name[it.case] for it in found]
        signed = [case for case in cases if _signed(case, lines)]
        if not cases:
            return Explanation("unknown", family)
        case = (signed or cases)[0]
        confirmed = self.repository.status_of(case, self.column).state == "confirmed"
        known = bool(signed) and confirmed and self._alone(case)
        return self._about(case, family, known)

    def of_case(self, name: str, family: str = "", known: bool = False) -> Explanation:
        """The explanation by a case that is known by its name."""
        case = self.repository.catalog.by_name[name]
        confirmed = self.repository.status_of(case, self.column).state == "confirmed"
        return self._about(case, family, known=known and confirmed)

    def _alone(self, case: Case) -> bool:
        """Whether no other limitation is about the same type of graph break, which it may be."""
        if case.meta.graph_break is None:
            return True
        type_ = case.meta.graph_break.type
        same = [
            it
            for it in self.repository.catalog.cases
            if it.meta.graph_break and it.meta.graph_break.type == type_
            if it.meta.kind == "limitation" and it.meta.signatures
        ]
        return same == [case]

    def _about(self, case: Case, family: str, known: bool) -> Explanation:
        states = self.repository.states_of(case)
        answer = answer_of(case, {name: it for name, it in states.items() if it in DECIDED})
        return Explanation(
            known="explained" if known else "suspected",
            family=family,
            case=case.name,
            title=answer.title,
            fix=answer.fix,
            there=status_on(answer, self.release),
        )


def _signed(case: Case, lines: list[str]) -> bool:
    return any(re.search(it, line) for line in lines for it in case.meta.signatures)
