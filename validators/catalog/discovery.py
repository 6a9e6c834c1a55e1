"""Finding the cases: one folder per area, two files per case, no registry."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from validators.catalog.case import Case
from validators.catalog.casebook import Casebook, load_casebook
from validators.catalog.frontmatter import read_page
from validators.catalog.page import InvalidPage
from validators.errors import CasebookError, Problem

_EMPTY = "holds no case; write one with `new AREA NAME`"
_MISPLACED = "is not directly in an area's folder, so nothing reads it; move it to AREA/NAME"


@dataclass(frozen=True)
class Catalog:
    """All readable cases under `root`, by area and name, and the problems of the others."""

    root: Path
    casebook: Casebook
    cases: tuple[Case, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def by_name(self) -> dict[str, Case]:
        """The cases by their id."""
        return {case.name: case for case in self.cases}

    @cached_property
    def by_alias(self) -> dict[str, Case]:
        """The cases by their aliases."""
        return {alias: case for case in self.cases for alias in case.meta.aliases}

    @cached_property
    def by_any_name(self) -> dict[str, Case]:
        """The cases by their id and by their aliases; an id comes before an alias."""
        return self.by_alias | self.by_name

    def problems_beside(self, logs: Collection[object]) -> list[Problem]:
        """The defects; an empty catalog counts as one only if there are no `logs` either."""
        return [p for p in self.problems if p.message != _EMPTY or not logs]

    def find(self, name: str) -> Case:
        """The case with this id or alias, hyphens or not.

        Raises:
            CasebookError: there is none; the message lists similar names, or the page's defect.
        """
        known = spelled(name)
        case = self.by_any_name.get(known)
        if case:
            return case
        for problem in self.problems:
            if problem.path.stem in (name, known):
                raise CasebookError(str(problem))
        import difflib

        near = difflib.get_close_matches(known, [*self.by_name, *self.by_alias], n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`list` shows all cases"
        raise CasebookError(f"{self.root}: no case is named {name!r}; {hint}")


def load_catalog(root: Path) -> Catalog:
    """Read every case under `root`; defects are collected, not raised.

    Raises:
        CasebookError: `root` is not a folder.
    """
    require_folder(root)
    casebook, problems = load_casebook(root)
    cases, files = list[Case](), files_in(root, casebook.areas)
    for page in (file for file in files if file.name.endswith(".md")):
        try:
            cases.append(read_case(page, casebook))
        except InvalidPage as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(page, 0, f"cannot be read ({error.strerror}); fix the file"))
    for proof in (file for file in files if file.name.endswith(".py")):
        if proof.name != "__init__.py" and not proof.with_suffix(".md").exists():
            problems.append(Problem(proof, 0, f"has no page; write {proof.stem}.md beside it"))
    problems += [Problem(path, 0, _MISPLACED) for path in _misplaced(root)]
    if not cases and not problems:
        problems.append(Problem(root, 0, _EMPTY))
    return Catalog(root, casebook, tuple(cases), tuple(problems + _duplicates(cases)))


def spelled(name: str) -> str:
    """A name as the catalog spells it: `case:Print-in-forward` is `print_in_forward`."""
    return name.strip().removeprefix("case:").replace("-", "_").lower()


def require_folder(root: Path) -> None:
    """See to it that `root` can be a catalog.

    Raises:
        CasebookError: it is not a folder.
    """
    if not root.is_dir():
        raise CasebookError(f"{root}: is not a folder; name the catalog with --catalog")


def files_in(root: Path, areas: list[str]) -> list[Path]:
    """The files in the areas' folders, in the order of `areas`; much faster than `glob`."""
    found = []
    names = sorted(os.listdir(root))  # noqa: PTH208, paths are slower
    for area in dict.fromkeys([*areas, *names]):
        with contextlib.suppress(NotADirectoryError, PermissionError, FileNotFoundError):
            found += [Path(root, area, name) for name in sorted(os.listdir(root / area))]  # noqa: PTH208
    return found


def _misplaced(root: Path) -> list[Path]:
    """Pages and proofs that are not directly in an area's folder, except a README at the root."""
    found = []
    for folder, folders, files in os.walk(root):
        if Path(folder).parent != root:
            found += [Path(folder, n) for n in (*folders, *files) if n.endswith((".md", ".py"))]
    return sorted(path for path in found if path != root / "README.md")


def read_case(page: Path, casebook: Casebook) -> Case:
    """The case whose page is at `page`.

    Raises:
        InvalidPage: the page is defective, has no proof, or lies where no case may lie.
        OSError: the page cannot be read.
    """
    meta, body, body_line = read_page(page)
    area, proof = page.parent.name, page.with_suffix(".py")
    problems = []
    if not re.fullmatch(r"[a-z][a-z0-9_]*", page.stem):
        message = f"{page.stem!r} is not a case's name; use lower case, digits and _"
        problems.append(Problem(page, 0, message))
    if not proof.exists():
        problems.append(Problem(page, 0, f"has no proof; write {proof.name} beside it"))
    if refusal := casebook.refusal(area):
        problems.append(Problem(page, 0, refusal))
    if problems:
        raise InvalidPage(problems)
    return Case(page.stem, area, page, proof, meta, body, body_line)


def _duplicates(cases: list[Case]) -> list[Problem]:
    first: dict[str, Case] = {}
    problems = []
    for name, case in [(c.name, c) for c in cases] + [
        (a, c) for c in cases for a in c.meta.aliases
    ]:
        if name in first:
            other = f"{first[name].area}/{first[name].name}"
            problems.append(Problem(case.page, 0, f"{name!r} already names {other}; rename one"))
        first.setdefault(name, case)
    return problems
