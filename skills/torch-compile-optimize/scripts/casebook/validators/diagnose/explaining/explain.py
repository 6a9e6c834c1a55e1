"""Which case explains what torch said."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from validators.diagnose.findings.finding import Explanation
from validators.diagnose.findings.words import names_in
from validators.match.answers import Answer, status_on
from validators.match.index import Index
from validators.match.knowledge import Knowledge, Known
from validators.match.search import search_log

_CODE = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z_]\w*")
_INSTANCE = re.compile(r"\(e\.g\. [^)]*\)")
"""What torch names as an instance of a kind; the user's code may have another."""
_KEYWORDS = {*keyword.kwlist}
_USUAL = {
    *("True", "a", "and", "as", "assert", "break", "breaks", "call", "calls", "compile"),
    *("compiles", "forward", "from", "fullgraph", "function", "recompiles", "size", "without"),
    *("get", "graph", "in", "is", "its", "mask", "model", "module", "nn", "not", "number"),
    *("of", "on", "one", "or", "output", "return", "self", "tensor", "torch", "with", "x", "yield"),
}
"""Words of titles that stand in any code."""


class Explainer:
    """Explains texts by the catalog and its evidence, for one column; "" where it is not known.

    Then no case is more than suspected, and an explanation says what all columns decided.
    """

    def __init__(self, knowledge: Knowledge, column: str, torch: str) -> None:
        self.knowledge, self.column = knowledge, column
        self.release = torch.partition("+")[0]

    def of_text(
        self, text: str, family: str, code: Sequence[str] = (), runs: bool = False
    ) -> Explanation:
        """The best explanation of what torch printed; `family` is what torch calls it.

        `code` has the lines of the user's code that led there, innermost first. With `runs`, the
        calls do not raise without compiling.
        """
        lines = text.splitlines()
        found = _found(self.knowledge.index, (*lines, *code))
        named = ((name, self.knowledge.find(name)) for name in found)
        cases = {
            name: case
            for name, case in named
            if case
            and not (runs and case.eager_raises)
            and (not code or _written(case, code))
            and (_signed(case, lines) or self._fits_family(case, [text, *code]))
        }
        # What several causes print explains no crash: nothing else tells which it is.
        without = self._headers if runs else frozenset()
        signed = {
            n: it for n, it in cases.items() if _signed(it, lines, without) and _written(it, code)
        }
        # A trace may word a break otherwise than a log; then its type and the line decide.
        if code and not signed:
            signed = {n: it for n, it in cases.items() if self._told_by_type(it, text)}
        if not cases:
            return Explanation("unknown", family)
        # A page that looks at the code as well is about less than one that does not.
        name = min(signed, key=lambda it: not signed[it].code, default=next(iter(cases)))
        case = cases[name]
        known = name in signed and self._confirmed(case) and not _rivals(name, signed)
        return self._about(name, case, family, known)

    def _fits_family(self, case: Known, texts: Sequence[str]) -> bool:
        """Whether a case may be meant by torch's name of a break alone, which few cases are.

        What torch says has a word of the code in its title, or the user's code any word of it.
        Keywords count where the title names no other code. `texts` has torch's text, then the
        lines of code.
        """
        title = case.answer.title
        own = {word for it in _CODE.findall(title) for word in _WORD.findall(it)} - _USUAL
        own = own - _KEYWORDS or own
        words = own | {it for it in _WORD.findall(title) if len(it) > 2} - _USUAL - _KEYWORDS
        told = {*_WORD.findall(_INSTANCE.sub("", texts[0]))}
        return bool(own & told or words & {it for line in texts[1:] for it in _WORD.findall(line)})

    def _told_by_type(self, case: Known, text: str) -> bool:
        """Whether a case whose `code` fits the user's line is about this break, by its type alone.

        Only where each case about the type says what lines it is about.
        """
        return case.graph_break in self._told_by_line and case.graph_break in text

    @cached_property
    def _headers(self) -> frozenset[str]:
        """The signatures that fit every cause of what torch says."""
        return frozenset(it.pattern for it in self.knowledge.index.signatures if it.header)

    @cached_property
    def _told_by_line(self) -> set[str]:
        """The types of graph breaks of which each limitation looks at the user's line."""
        limits = [it for it in self._cases if it.graph_break and it.kind == "limitation"]
        return {it.graph_break for it in limits} - {it.graph_break for it in limits if not it.code}

    @cached_property
    def _cases(self) -> list[Known]:
        """All cases."""
        return [it for it in map(self.knowledge.find, self.knowledge.index.cases) if it]

    def of_case(self, name: str, family: str = "", known: bool = False) -> Explanation:
        """The explanation by a case that is known by its name; another catalog may lack it."""
        case = self.knowledge.find(name)
        if case is None:
            return Explanation("unknown", family or name)
        return self._about(name, case, family, known=known and self._confirmed(case))

    def _confirmed(self, case: Known) -> bool:
        return case.answer.decided.get(self.column) == "confirmed"

    def _about(self, name: str, case: Known, family: str, known: bool) -> Explanation:
        there = status_on(case.answer, self.release) if self.release else _everywhere(case.answer)
        return Explanation(
            known="explained" if known else "suspected",
            family=family,
            case=name,
            title=case.answer.title,
            fix=case.answer.fix,
            there=there,
            severity=case.severity,
            example=bool(names_in(case.answer.fix)),
        )


@lru_cache(maxsize=1000)
def _found(index: Index, lines: tuple[str, ...]) -> list[str]:
    """The cases that lines lead to; cached, for a model says the same on several releases."""
    found = search_log(index, enumerate(lines, 1), len(index.pages)).matches
    return [it.page.name for it in found if it.lines]


def _everywhere(answer: Answer) -> str:
    """What all columns decided, for a release that is not known."""
    columns: dict[str, list[str]] = {}
    for column, verdict in answer.decided.items():
        columns.setdefault(verdict, []).append(column)
    return "; ".join(f"{verdict} on {', '.join(its)}" for verdict, its in columns.items())


def _signed(case: Known, lines: list[str], without: frozenset[str] = frozenset()) -> bool:
    """Whether a line has a signature of the case that is not among those to do `without`."""
    signatures = [it for it in case.signatures if it not in without]
    return any(re.search(it, line) for line in lines for it in signatures)


def _written(case: Known, code: Sequence[str]) -> bool:
    """Whether the innermost line of the user's code fits the case, if the case says what does."""
    return not case.code or any(re.search(it, line) for line in code[:1] for it in case.code)


def _rivals(name: str, signed: dict[str, Known]) -> bool:
    """Whether another limitation that looks as closely has the same signature or break's type."""
    case = signed[name]
    return any(
        other != name
        and it.kind == "limitation"
        and bool(it.code) == bool(case.code)
        and (it.graph_break == case.graph_break != "" or {*it.signatures} & {*case.signatures})
        for other, it in signed.items()
    )
