"""A task of `evals/tasks`: a repository with a defect, the request, and what grades the change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from validators.catalog.page import Fields, InvalidPage, parse_fields, read_list
from validators.errors import CasebookError, Problem

Set = Literal["seen", "unseen"]
Count = Annotated[int, Meta(ge=0)]
FACTORY = "example"
"""The function of `hidden/factory.py` that returns the model and the caller's calls."""
CHECK = "check.py"
"""The program in `hidden` that grades a task which is not about a model."""


class About(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`task.yaml`: what the task is about, and how many minutes an agent has.

    `seen` tasks may guide whoever writes the skills; `unseen` ones must not. `cases` are the
    defects that were planted.
    """

    skills: Annotated[list[str], Meta(min_length=1)]
    set: Set
    cases: Annotated[list[str], Meta(min_length=1)]
    difficulty: Literal["easy", "medium", "hard"]
    minutes: Annotated[float, Meta(gt=0)] = 15.0


class Script(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A script of the caller, its arguments, and a pattern of what it must print."""

    run: Annotated[list[str], Meta(min_length=1)]
    prints: str = ""


class Checked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`hidden/grader.yaml` of a task whose `hidden/check.py` decides, without `verify-fix`.

    The program gets the changed copy and the file that `check` names; it prints why the change
    fails and exits with 1, or exits with 0.
    """

    check: Annotated[str, Meta(min_length=1)]
    restored: list[str] = []

    @property
    def program(self) -> str:
        """The file of the repository that is run."""
        return self.check

    @property
    def compiles_alike(self) -> bool:
        """A fix need not compile better."""
        return True


class Conditions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`hidden/grader.yaml`: what must hold besides `verify-fix`.

    `graphs`, `breaks` and `recompiles` are the most that the changed model may have. `restored` are
    the caller's files, which get their original text back before anything runs. `signatures` are
    functions, `file.py:Class.method`, that must take the same arguments. `wrong_numbers` says that
    the defect is a wrong result: a fix need not compile better. `ops` are the most ops that Dynamo
    may trace in the first call, `block_ops` the same with repeated blocks compiled one by one; with
    one of them, too, fewer graphs are not needed.
    """

    graphs: Count
    breaks: Count = 0
    recompiles: Count
    ops: Count | None = None
    block_ops: Count | None = None
    script: Script
    backend: Literal["eager", "aot_eager"] = "eager"
    restored: list[str] = []
    signatures: list[str] = []
    wrong_numbers: bool = False

    @property
    def program(self) -> str:
        """The file of the repository that is run."""
        return self.script.run[0]

    @property
    def compiles_alike(self) -> bool:
        """Whether a fix may have as many graphs, breaks and recompiles as there were."""
        return self.wrong_numbers or self.ops is not None or self.block_ops is not None


@dataclass(frozen=True)
class EvalTask:
    """One task, read from its folder."""

    folder: Path
    about: About
    conditions: Conditions | Checked

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def repo(self) -> Path:
        """What the agent gets."""
        return self.folder / "repo"

    @property
    def hidden(self) -> Path:
        """What it never gets."""
        return self.folder / "hidden"

    @property
    def request(self) -> str:
        """The user's words."""
        return (self.folder / "task.md").read_text(encoding="utf-8")

    @property
    def reference(self) -> Path:
        """The patch of a fix that passes."""
        return self.hidden / "reference.patch"

    @property
    def wrong(self) -> list[Path]:
        """The patches of plausible fixes that must be refused."""
        return sorted(self.hidden.glob("wrong_*.patch"))


def load_task(folder: Path) -> EvalTask:
    """Read the task in `folder`.

    Raises:
        InvalidPage: a file of it is missing or invalid.
    """
    about = _fields(folder / "task.yaml", About)
    decided = (folder / "hidden" / CHECK).exists()
    file = folder / "hidden" / "grader.yaml"
    conditions = _fields(file, Checked) if decided else _fields(file, Conditions)
    return EvalTask(folder, about, conditions)


def load_tasks(root: Path, only: tuple[str, ...] = ()) -> list[EvalTask]:
    """Read the tasks below `root`, or those that `only` names.

    Raises:
        CasebookError: there is none, a name fits none, or a task is invalid.
    """
    folders = {it.parent.name: it.parent for it in sorted(root.glob("*/task.yaml"))}
    if unknown := [name for name in only if name not in folders]:
        raise CasebookError(f"{unknown[0]}: is not a task; choose from {', '.join(folders)}")
    if not folders:
        raise CasebookError(f"{root}: holds no task; add a folder with a task.yaml")
    try:
        return [load_task(folders[name]) for name in folders if name in only or not only]
    except InvalidPage as error:
        raise CasebookError(str(error.problems[0])) from None


def _fields(file: Path, kind: type[Fields]) -> Fields:
    if not file.is_file():
        raise InvalidPage([Problem(file, 0, "is missing; a task needs it")])
    return parse_fields(file, read_list(file), kind)
