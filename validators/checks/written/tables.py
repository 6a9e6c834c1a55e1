"""Tables of cases in prose, made from front matter and from what examples printed.

A table stands between `<!-- cases NAME recompiles/* -->` and `<!-- /cases -->`, with one row per
case. A pattern stands for the cases of an area that no table of the file names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from validators.catalog import Case
from validators.catalog.prose import Prose
from validators.errors import Problem
from validators.evidence.stored.examples import SILENT, CaseExamples, shown
from validators.evidence.wording import lines_that_show, literal, message
from validators.repository import Repository
from validators.verdicts import DECIDED

_TABLE = re.compile(r"(<!-- cases\s([\w/*\s]+?)\s-->\n)(?:(?!<!--).)*(<!-- /cases -->)", re.DOTALL)
_MARK = re.compile(r"<!-- /?cases\b")
_HEAD = "\n| In the log | Case | Fix |\n|---|---|---|\n"
_LONGEST = 72
"""The most characters of a log's line that a table shows."""


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
    lines = lines_that_show(case, runs)
    if not lines:
        return _code(shown(literal(case)))
    return "*silent*" if lines[0] == SILENT else _code(message(lines[0]).replace("`", "'"))


def _code(line: str) -> str:
    if len(line) > _LONGEST:
        line = line[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return line and f"`{line}`"
