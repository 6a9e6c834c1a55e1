"""Tables of cases in prose, made from front matter and from what examples printed.

A table stands between `<!-- cases NAME recompiles/* -->` and `<!-- /cases -->`, with one row per
case. A pattern stands for the cases of an area that no table of the file names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from packaging.version import Version

from validators.catalog import Case
from validators.catalog.prose import Prose
from validators.errors import Problem
from validators.evidence.examples import SILENT, CaseExamples, example_digest, shown
from validators.evidence.record import DECIDED
from validators.repository import Repository

_TABLE = re.compile(r"(<!-- cases\s([\w/*\s]+?)\s-->\n)(?:(?!<!--).)*(<!-- /cases -->)", re.DOTALL)
_MARK = re.compile(r"<!-- /?cases\b")
_HEAD = "\n| In the log | Case | Fix |\n|---|---|---|\n"
_LONGEST = 72
"""The most characters of a log's line that a table shows."""
_NOISE = re.compile(
    r"^(?:- )*(?:last reason: )?(?:\d+/\d+: )?"
    r"(?:\S+\.(?:py|c):[\d:]+ )?(?:torch\.[\w.]+\.(?=[A-Z]\w*:))?"
    r"|(?:\bkernel, \S+, )|(?: +# .*)"
)
"""What stands before the message itself, beside the prefix of a log, and the source line after."""
_NOT_LITERAL = re.compile(r"\\[a-zA-Z]|(?<!\\)[.*+?|()\[\]{}^$]+")


def fill_tables(text: str, repository: Repository) -> str:
    """`text` with each table of cases made again from front matter and evidence."""
    named = {word for _, words, _ in _TABLE.findall(text) for word in words.split()}

    def filled(match: re.Match[str]) -> str:
        cases = list(_chosen(match[2].split(), named, repository))
        rows = "".join(_row(case, repository) for case in cases)
        return f"{match[1]}{_HEAD}{rows}\n{match[3]}"

    return _TABLE.sub(filled, text)


def check_tables(prose: Prose, repository: Repository) -> Iterator[Problem]:
    """Tables of cases that do not agree with front matter and evidence."""
    for match in _TABLE.finditer(prose.text):
        line = prose.first + prose.text.count("\n", 0, match.start())
        for word in match[2].split():
            if "/" not in word and word not in repository.catalog.by_name:
                yield Problem(prose.path, line, f"`cases`: {word!r} is not a case; fix it")
    if len(_MARK.findall(prose.text)) != 2 * len(_TABLE.findall(prose.text)):
        form = "<!-- cases NAME AREA/* --> ... <!-- /cases -->"
        yield Problem(prose.path, prose.first, f"has half a table mark; write `{form}`")
    elif fill_tables(prose.text, repository) != prose.text:
        message = "has a table of cases that is out of date; run `python -m validators check --fix`"
        yield Problem(prose.path, prose.first, message)


def _chosen(words: Iterable[str], named: set[str], repository: Repository) -> Iterator[Case]:
    """The live cases that `words` name, or match as patterns if they are not `named` anywhere."""
    catalog = repository.catalog
    for word in words:
        if "/" not in word:
            if word in catalog.by_name and not catalog.by_name[word].retired:
                yield catalog.by_name[word]
            continue
        for case in catalog.cases:
            fits = fnmatchcase(f"{case.area}/{case.name}", word) and not case.retired
            if fits and case.name not in named:
                yield case


def _row(case: Case, repository: Repository) -> str:
    decided = any(state in DECIDED for state in repository.states_of(case).values())
    cells = (
        seen_line(case, repository.examples.get(case.name)),
        f"{case.title} `case:{case.name}`{'' if decided else ' (undecided)'}",
        case.fix,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def seen_line(case: Case, runs: CaseExamples | None) -> str:
    """The line that the example printed on the newest torch that shows it, as Markdown.

    If the example has not run, it is a text from the case's signatures; "" if there is none.
    """
    digest = example_digest(case)
    runs_that_show = [
        run
        for run in (runs.columns.values() if runs else ())
        if run.digest == digest and run.verdict == "confirmed"
    ]
    if not runs_that_show:
        return _code(shown(_literal(case)))
    line = max(runs_that_show, key=lambda run: Version(run.torch)).line
    return "*silent*" if line == SILENT else _code(_NOISE.sub("", shown(line)))


def _literal(case: Case) -> str:
    """The type of the case's graph break, or the longest plain text in one of its signatures."""
    if case.meta.graph_break:
        return case.meta.graph_break.type
    parts = (part for it in case.meta.signatures for part in _NOT_LITERAL.split(it))
    return max((part.replace("\\", "").strip(" :,'\"(") for part in parts), key=len, default="")


def _code(line: str) -> str:
    if len(line) > _LONGEST:
        line = line[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return line and f"`{line}`"
