"""A case as text: first what a reader needs, then its page, then what decides it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from validators.catalog import Case
from validators.catalog.example import Example, without_example
from validators.cli.find.known import word_of
from validators.cli.find.page_text import INDENT, code_lines, page_lines
from validators.cli.places import from_here
from validators.evidence.status import Status
from validators.files import PROGRAM
from validators.styled import DIM, HEADING, NAME, STYLES, Line, Span, coded, wrapped

_STYLES = {"-": "red", "+": "green", " ": ""}


def case_lines(
    case: Case, statuses: Mapping[str, Status], known: Span, proof: str, width: int
) -> Iterator[Line]:
    """The whole case; `known` is its status in one line, `proof` the source of its proof."""
    yield from _head(case, known, width)
    body = case.body
    if case.example:
        yield from _example(case.example)
        body = without_example(body)
    yield []
    yield from page_lines(body, width)
    yield from _claim(case, width)
    yield from _verdicts(statuses)
    yield from _upstream(case)
    yield from ([], [("Reproducer", HEADING), (f"  {from_here(case.proof)}", DIM)])
    yield from code_lines(proof)
    yield from ([], [("Run it: ", ""), (f"{PROGRAM} run {case.name}", "cyan")])


def choice_lines(graph_break: str, cases: list[Case], width: int) -> Iterator[Line]:
    """The cases about one graph break, and how to open one."""
    kinds = dict.fromkeys(it.meta.graph_break.type for it in cases if it.meta.graph_break)
    said = coded(f"({'; '.join(kinds)}): {len(cases)} cases")
    yield from wrapped([(graph_break, HEADING), (" ", ""), *said], width)
    for case in cases:
        yield from ([], [(case.name, NAME)])
        for text in (coded(case.title), [("Fix: ", "bold green"), *coded(case.fix)]):
            yield from ([INDENT, *line] for line in wrapped(text, width - len(INDENT[0])))
    yield from ([], [("Open one: ", ""), (f"{PROGRAM} show {cases[0].name}", "cyan")])


def _head(case: Case, known: Span, width: int) -> Iterator[Line]:
    """The title, what the case is, its status, what happens, and the fix."""
    yield from wrapped(coded(case.title, HEADING), width)
    about = f"({case.meta.kind}, {case.meta.severity} severity, {case.area}"
    if case.meta.graph_break:
        about += f", {case.meta.graph_break.id} {case.meta.graph_break.type}"
    yield from wrapped([(case.name, NAME), (" ", ""), *coded(f"{about})", DIM)], width)
    yield from wrapped([("Status: ", HEADING), known], width)
    if case.meta.since:
        yield from wrapped([("Since: ", HEADING), *coded(case.meta.since)], width)
    yield []
    yield from wrapped(coded(case.summary), width)
    if case.fix:
        yield from ([], *wrapped([("Fix: ", "bold green"), *coded(case.fix)], width))


def _example(example: Example) -> Iterator[Line]:
    """Both programs as one text: what the fix takes away, and what it adds."""
    yield from ([], [("Example", HEADING), ("  - before, + after the fix", DIM)])
    for sign, line in example.lines:
        yield [(f"    {sign} {line.expandtabs(4)}", _STYLES[sign])]


def _claim(case: Case, width: int) -> Iterator[Line]:
    inner = width - len(INDENT[0])
    for name, text in (("Claim", case.meta.claim), ("Believed", case.meta.believed)):
        if text:
            yield from ([], [(name, HEADING)])
            yield from ([INDENT, *line] for line in wrapped(coded(text), inner))


def _verdicts(statuses: Mapping[str, Status]) -> Iterator[Line]:
    """The verdict in each column, and why nothing is decided there."""
    if not statuses:
        return
    yield from ([], [("Verdicts", HEADING)])
    words = {column: word_of(it) for column, it in statuses.items()}
    room = max(map(len, words.values()))
    columns = max(map(len, words))
    for column, it in statuses.items():
        word, style = words[column], STYLES.get(words[column], "dim")
        reason = f"  {it.reason}" if it.reason else ""
        yield [INDENT, (f"{word:<{room}}", style), (f"  {column:<{columns}}{reason}", "")]


def _upstream(case: Case) -> Iterator[Line]:
    if case.meta.upstream:
        yield from ([], [("Upstream", HEADING)])
    for it in case.meta.upstream:
        yield [INDENT, (f"{it.issue}{f', fixed in {it.fixed_in}' if it.fixed_in else ''}", "")]
