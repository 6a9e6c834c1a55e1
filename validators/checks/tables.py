"""Tables of cases in prose, made of front matter and of what examples printed.

`<!-- cases NAME recompiles/* -->` and `<!-- /cases -->` stand around a table: one row a case, those
named in their order, then those of an area that no other table of the file names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from packaging.version import Version

from validators.catalog import Case
from validators.catalog.prose import Prose
from validators.errors import Problem
from validators.evidence.examples import SILENT, CaseExamples, example_digest
from validators.evidence.record import DECIDED
from validators.repository import Repository

_TABLE = re.compile(r"(<!-- cases\s([\w/*\s]+?)\s-->\n)(?:(?!<!--).)*(<!-- /cases -->)", re.DOTALL)
_MARK = re.compile(r"<!-- /?cases\b")
_HEAD = "\n| In the log | Case | Fix |\n|---|---|---|\n"
_LONGEST = 72
"""Characters of a log's line that a table shows."""
_NOISE = re.compile(
    r"^(?:\[(?:\d+/\d+|__\w+)\] +)*(?:- )*(?:last reason: )?(?:\d+/\d+: )?"
    r"(?:\S+\.(?:py|c):[\d:]+ )?(?:torch\.[\w.]+\.(?=[A-Z]\w*:))?"
    r"|(?:\bkernel, \S+, )|(?: +# .*)"
)
"""What a log puts before the words that say what happened, and the source line behind them."""
_NOT_LITERAL = re.compile(r"\\[a-zA-Z]|(?<!\\)[.*+?|()\[\]{}^$]+")


def fill_tables(text: str, repository: Repository) -> str:
    """`text` with each table of cases as front matter and evidence say."""
    named = {word for _, words, _ in _TABLE.findall(text) for word in words.split()}

    def filled(match: re.Match[str]) -> str:
        cases = list(_chosen(match[2].split(), named, repository))
        rows = "".join(_row(case, repository) for case in cases)
        return f"{match[1]}{_HEAD}{rows}\n{match[3]}"

    return _TABLE.sub(filled, text)


def check_tables(prose: Prose, repository: Repository) -> Iterator[Problem]:
    """Tables of cases that are not what front matter and evidence say."""
    for match in _TABLE.finditer(prose.text):
        line = prose.first + prose.text.count("\n", 0, match.start())
        for word in match[2].split():
            if "/" not in word and word not in repository.catalog.by_name:
                yield Problem(prose.path, line, f"`cases` names {word!r}, which is no case")
    if len(_MARK.findall(prose.text)) != 2 * len(_TABLE.findall(prose.text)):
        form = "<!-- cases NAME AREA/* --> ... <!-- /cases -->"
        yield Problem(prose.path, prose.first, f"has a mark of a table alone; write `{form}`")
    elif fill_tables(prose.text, repository) != prose.text:
        message = "has a table of cases that is out of date; run `python -m validators check --fix`"
        yield Problem(prose.path, prose.first, message)


def _chosen(words: Iterable[str], named: set[str], repository: Repository) -> Iterator[Case]:
    """The live cases that `words` name, and those of patterns that are not `named` anywhere."""
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
    """What the example printed on the newest torch that shows it, as Markdown.

    Of a case whose example has not run it is a text of its signatures; "" where it has none.
    """
    digest = example_digest(case)
    shown = [
        run
        for run in (runs.columns.values() if runs else ())
        if run.digest == digest and run.verdict == "confirmed"
    ]
    if not shown:
        return _code(_literal(case))
    line = max(shown, key=lambda run: Version(run.torch)).line
    return "*silent*" if line == SILENT else _code(_NOISE.sub("", line))


def _literal(case: Case) -> str:
    """The longest text that stands in a signature of the case, or its graph break's type."""
    if case.meta.graph_break:
        return case.meta.graph_break.type
    parts = (part for it in case.meta.signatures for part in _NOT_LITERAL.split(it))
    return max((part.replace("\\", "").strip(" :,'\"(") for part in parts), key=len, default="")


def _code(line: str) -> str:
    words = " ".join(line.replace("`", "'").split())
    if len(words) > _LONGEST:
        words = words[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return words and f"`{words}`"
