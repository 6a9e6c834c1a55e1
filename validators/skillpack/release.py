"""The skills for one release of torch: only what holds there, in few lines for each case."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import shorten

from validators.catalog import Case
from validators.errors import CasebookError
from validators.evidence.columns import in_order
from validators.evidence.status import State
from validators.evidence.stored.examples import SILENT, CaseExamples
from validators.evidence.wording import lines_that_show, wordings
from validators.families.patterns import signatures_of
from validators.files import PROGRAM
from validators.repository import Repository
from validators.skillpack.pack import Pack, Skill
from validators.skillpack.pruning import pruned

MOST_BYTES = 100_000
"""Of the texts of all skills together."""
_FORMS = [(longest, minor) for minor in (True, False) for longest in (41, 30, 12, 0)]
"""The most characters of a log's line, none for 0, and whether cases of low severity that no
SKILL.md cites are told; the first with which a release takes no more bytes."""
_LEFT_OUT = "\nWithout cases of low severity; `casebook list` has them.\n"
_REFERENCES = "SKILL/references"
"""How a SKILL.md names its own references; the cases of a release are in those of all skills."""
_HOLDING: tuple[State, ...] = ("confirmed", "remedy-failed", "unremedied")
_NOT_OPEN: tuple[State, ...] = (*_HOLDING, "refuted", "lacks", "na")


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
        return any(state in _HOLDING for state in self._states(case))

    def undecided(self, case: Case) -> bool:
        """Whether no program decided the case, though one could."""
        return not any(state in _NOT_OPEN for state in self._states(case))

    def of_fix(self, case: Case) -> str:
        """What is to be said before the fix of a case that holds."""
        states = self._states(case)
        if "remedy-failed" in states:
            return "The fix fails here: "
        return "" if "confirmed" in states else "Not tried here: "

    def _states(self, case: Case) -> list[State]:
        states = self.repository.states_of(case)
        return [states[column] for column in self.columns if column in states]


def texts(release: Release, pack: Pack, date: str) -> dict[Path, bytes]:
    """SKILL.md and references of every skill, by their paths below the folder of skills."""
    made: dict[Path, bytes] = {}
    for longest, minor in _FORMS:
        made = _texts_with_lines(release, pack, date, longest, minor)
        if sum(map(len, made.values())) <= MOST_BYTES:
            break
    return made


def _texts_with_lines(
    release: Release, pack: Pack, date: str, longest: int, minor: bool
) -> dict[Path, bytes]:
    made: dict[Path, str] = {}
    placed: set[str] = set()
    # Skills that hold all areas come first, so that their references have what all share.
    for skill in sorted(pack.skills, key=lambda skill: "all" not in skill.areas):
        held = pack.cases_of(skill, release.repository.catalog)
        cases = [case for case in held if case.name not in placed and _is_sought(case, pack, minor)]
        placed |= {case.name for case in cases}
        made[Path(skill.name, "SKILL.md")] = _skill(release, skill, date)
        if cases:
            text = _cases(release, cases, longest) + ("" if minor else _LEFT_OUT)
            made[Path(skill.name, "references", "cases.md")] = text
    return {path: text.encode() for path, text in made.items()}


def _is_sought(case: Case, pack: Pack, minor: bool) -> bool:
    """Whether an agent looks for a case: a line of a log leads to it, or a SKILL.md cites it.

    Other false beliefs and good practices are left to the command line; without `minor`, those of
    low severity, too.
    """
    cited = any(case.name in skill.cases for skill in pack.skills)
    sought = case.meta.kind == "limitation" and (minor or case.meta.severity != "low")
    return cited or sought


def _cases(release: Release, cases: Iterable[Case], longest: int) -> str:
    lines = [
        f"# Cases that hold on torch {release.torch}",
        "",
        "Each fix stands below its case; `casebook show NAME` prints the page.",
    ]
    undecided = []
    for case in cases:
        if release.holds(case):
            fix = f"{release.of_fix(case)}{case.fix}"
            seen = _seen(release, case, longest)
            lines += ["", f"## {case.name} | {seen}" if seen else f"## {case.name}", fix]
        elif release.undecided(case):
            undecided.append(case.name)
    if undecided:
        lines += ["", f"Undecided on torch {release.torch}: {', '.join(undecided)}."]
    return "\n".join(lines) + "\n"


def _seen(release: Release, case: Case, longest: int) -> str:
    """What the example printed on the release, of at most that length, or "" for 0.

    The title if it prints nothing.
    """
    runs = release.repository.examples.get(case.name)
    columns = runs.columns.items() if runs else ()
    here = CaseExamples({name: run for name, run in columns if name in release.columns})
    lines = lines_that_show(case, here)
    said = wordings([line for line in lines if line != SILENT], signatures_of(case))
    if not said:
        return case.title
    return shorten(said[0], longest, placeholder=" …") if longest else ""


def _skill(release: Release, skill: Skill, date: str) -> str:
    """The SKILL.md without what it says of cases that do not hold."""
    page = release.repository.root / "skills" / skill.name / "SKILL.md"
    text = page.read_text("utf-8")
    end = text.index("\n---\n", 3) + len("\n---\n")
    by_name = release.repository.catalog.by_any_name
    kept = pruned(text[end:], lambda name: release.holds(by_name[name]))
    title, _, rest = kept.lstrip("\n").partition("\n")
    stamp = f"For torch {release.torch}, {date}; `casebook skills status` says if it is outdated."
    body = f"{title}\n\n{stamp}\n{rest}".replace(_REFERENCES, "SKILL/../*/references")
    return f"{text[:end]}\n{body}"
