"""The skills for one release of torch: only what holds there, a line for each case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import shorten

from markdown_it import MarkdownIt

from validators.catalog import Case
from validators.catalog.citations import citations
from validators.errors import CasebookError
from validators.evidence.columns import in_order
from validators.evidence.examples import SILENT, CaseExamples
from validators.evidence.wording import lines_that_show, wordings
from validators.files import PROGRAM
from validators.match.building import signatures_of
from validators.repository import Repository
from validators.skillpack.pack import Pack, Skill

HOLDING = ("confirmed", "remedy-failed")
MOST_BYTES = 100_000
"""Of the texts of all skills together."""
_LONGEST = 56
"""The most characters of a log's line."""
_REFERENCES = "SKILL/references"
"""How a SKILL.md names its own references; the cases of a release are in those of all skills."""


@dataclass(frozen=True)
class Release:
    """What evidence decides on one release of torch, such as "2.13.0", on any device."""

    repository: Repository
    torch: str

    @cached_property
    def columns(self) -> list[str]:
        """The columns of the release.

        Raises:
            CasebookError: there is none.
        """
        every = in_order(column for _, column in self.repository.evidence)
        if found := [column.name for column in every if column.torch == self.torch]:
            return found
        known = ", ".join(dict.fromkeys(column.torch for column in every))
        raise CasebookError(
            f"torch {self.torch}: nothing is decided on it, but on {known}; "
            f"decide it with `{PROGRAM} run-all --python P`, or leave out --python"
        )

    def holds(self, case: Case) -> bool:
        """Whether a program confirmed the case, even if its fix fails."""
        return any(state in HOLDING for state in self._states(case))

    def undecided(self, case: Case) -> bool:
        """Whether no program decided the case."""
        return not any(state in (*HOLDING, "refuted") for state in self._states(case))

    def _states(self, case: Case) -> list[str]:
        states = self.repository.states_of(case)
        return [states[column] for column in self.columns if column in states]


def texts(release: Release, pack: Pack, date: str) -> dict[Path, bytes]:
    """SKILL.md and references of every skill, by their paths below the folder of skills."""
    made: dict[Path, str] = {}
    placed: set[str] = set()
    # Skills that hold all areas come first, so that their references have what all share.
    for skill in sorted(pack.skills, key=lambda skill: "all" not in skill.areas):
        held = pack.cases_of(skill, release.repository.catalog)
        cases = [case for case in held if case.name not in placed and not _is_told(case, pack)]
        placed |= {case.name for case in cases}
        made[Path(skill.name, "SKILL.md")] = _skill(release, skill, date)
        if cases:
            made[Path(skill.name, "references", "cases.md")] = _cases(release, cases)
    return {path: text.encode() for path, text in made.items()}


def _is_told(case: Case, pack: Pack) -> bool:
    """Whether a SKILL.md says all of a case: no log leads to a belief or a practice."""
    cited = any(case.name in skill.cases for skill in pack.skills)
    return cited and case.meta.kind != "limitation"


def _cases(release: Release, cases: list[Case]) -> str:
    lines = [
        f"# Cases that hold on torch {release.torch}",
        "",
        f"name | line of a log, or what happens | fix. `{PROGRAM} show NAME` has the rest.",
        "",
        *(_line(release, case) for case in cases if release.holds(case)),
    ]
    if undecided := [case.name for case in cases if release.undecided(case)]:
        lines += ["", f"Undecided on torch {release.torch}: {', '.join(undecided)}."]
    return "\n".join(lines) + "\n"


def _line(release: Release, case: Case) -> str:
    return f"{case.name} | {_seen(release, case)} | {_fix(release, case)}"


def _seen(release: Release, case: Case) -> str:
    """What the example printed on the release; the title if it prints nothing."""
    runs = release.repository.examples.get(case.name)
    columns = runs.columns.items() if runs else ()
    here = CaseExamples({name: run for name, run in columns if name in release.columns})
    lines = lines_that_show(case, here)
    said = wordings([line for line in lines if line != SILENT], signatures_of(case))
    return shorten(said[0], _LONGEST, placeholder=" …") if said else case.title


def _fix(release: Release, case: Case) -> str:
    states = release.repository.states_of(case)
    failed = any(states.get(column) == "remedy-failed" for column in release.columns)
    return f"The fix fails here: {case.fix}" if failed else case.fix


def _skill(release: Release, skill: Skill, date: str) -> str:
    """The SKILL.md without the list items and rows of which no case holds."""
    page = release.repository.root / "skills" / skill.name / "SKILL.md"
    head, body = _split(page.read_text("utf-8"))
    lines = body.split("\n")
    left_out = {number for first, end in _left_out(release, body) for number in range(first, end)}
    kept = "\n".join(line for number, line in enumerate(lines) if number not in left_out)
    title, _, rest = kept.lstrip("\n").partition("\n")
    stamp = (
        f"For torch {release.torch}, {date}; `{PROGRAM} skills status` says if it is out of date."
    )
    return f"{head}\n{title}\n\n{stamp}\n{rest}".replace(_REFERENCES, "SKILL/../*/references")


def _split(text: str) -> tuple[str, str]:
    """The front matter, and what follows."""
    end = text.index("\n---\n", 3) + len("\n---\n")
    return text[:end], text[end:]


def _left_out(release: Release, body: str) -> Iterator[tuple[int, int]]:
    """The lines of list items and rows that cite cases of which none holds."""
    lines = body.split("\n")
    lists: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        if token.type.endswith("_list_open"):
            lists.append(token.type)
        elif token.type.endswith("_list_close"):
            lists.pop()
        part = token.type == "tr_open" or (
            token.type == "list_item_open" and lists[-1] == "bullet_list_open"
        )
        if part and token.map:
            names = [name for _, name in citations("\n".join(lines[slice(*token.map)]))]
            cases = [release.repository.catalog.by_any_name[name] for name in names]
            if cases and not any(release.holds(case) for case in cases):
                yield token.map[0], token.map[1]
