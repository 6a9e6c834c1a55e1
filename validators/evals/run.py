"""Run an agent over tasks, with and without the skills, and keep what came of each attempt."""

from __future__ import annotations

import hashlib
import itertools
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from validators.diagnose.masking.mask import masked
from validators.environment import Environment
from validators.errors import CasebookError
from validators.evals.agent import Agent, Desk, Ran, ran
from validators.evals.folders import copied, diff, give_skills
from validators.evals.grader import Grade
from validators.evals.results import Arm, Attempt, Outcome
from validators.evals.task import EvalTask

Grader = Callable[[EvalTask, Path], Grade]


@dataclass(frozen=True)
class Trial:
    """What is tried: an agent on tasks under arms, how often, with which skills and torch.

    `minutes` limits an attempt in place of the tasks' own limits.
    """

    agent: Agent
    tasks: Sequence[EvalTask]
    arms: Sequence[Arm]
    tries: int
    skills: Path
    env: Environment
    minutes: float | None = None


def attempts(trial: Trial, grade: Grader, known: Sequence[Attempt] = ()) -> Iterator[Attempt]:
    """Each attempt that is not known yet, arms in turn, so that a slow hour hits both alike.

    Raises:
        CasebookError: the agent cannot be started, or its interpreter sees this repository.
    """
    refuse_own(trial.env.python)
    pack = digest_of(trial.skills)
    done = {(it.task, it.arm, it.number, _given(it.arm, it.pack)) for it in known}
    for number, task, arm in itertools.product(range(trial.tries), trial.tasks, trial.arms):
        if (task.name, arm, number, _given(arm, pack)) not in done:
            yield _attempt(trial, grade, _given(arm, pack), task, arm, number)


def read_attempts(file: Path) -> list[Attempt]:
    """The attempts in a file of results; none if there is no file.

    Raises:
        CasebookError: a line is not an attempt.
    """
    if not file.exists():
        return []
    found = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Attempt))
        except msgspec.DecodeError as error:
            raise CasebookError(f"{file}:{number}: is not an attempt: {error}; remove it") from None
    return found


def keep(attempt: Attempt, file: Path) -> None:
    """Append an attempt to a file of results."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as opened:
        opened.write(msgspec.json.encode(attempt) + b"\n")


def digest_of(skills: Path) -> str:
    """A digest of all files of the skills, so that results name the text that agents read."""
    found = hashlib.sha256()
    for file in sorted(it for it in skills.rglob("*") if it.is_file() and it.suffix != ".pyc"):
        found.update(f"{file.relative_to(skills)}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def _given(arm: Arm, pack: str) -> str:
    """The skills of an attempt; without them, their text does not matter."""
    return pack if arm == "with" else ""


def _attempt(
    trial: Trial, grade: Grader, pack: str, task: EvalTask, arm: Arm, number: int
) -> Attempt:
    # The name must not tell the arm, nor lead to the task's folder.
    with tempfile.TemporaryDirectory(prefix="work-") as name:
        desk = Desk(Path(name))
        copied(task.repo, desk.repo)
        desk.request.write_text(task.request, encoding="utf-8")
        if arm == "with":
            give_skills(trial.skills, desk.repo)
        end = ran(trial.agent, desk, trial.env, 60 * (trial.minutes or task.about.minutes))
        changed = copied(desk.repo, desk.root / "changed")
        change = diff(task.repo, changed)
        outcome, reasons = _judged(grade, task, changed, end, change)
        return Attempt(
            task=task.name,
            set=task.about.set,
            skills=task.about.skills,
            arm=arm,
            number=number,
            agent=trial.agent.name,
            torch=trial.env.fingerprint.torch,
            pack=pack,
            outcome=outcome,
            status=end.status,
            seconds=round(end.seconds, 1),
            tokens=end.tokens,
            opened=end.opened,
            reasons=masked(reasons, desk.repo),
            diff=masked(change, desk.repo),
        )


def _judged(
    grade: Grader, task: EvalTask, changed: Path, end: Ran, change: str
) -> tuple[Outcome, list[str]]:
    """What came of an attempt; what an agent left when it was stopped does not count."""
    if end.end != "ended":
        return end.end, [f"it was stopped after {end.seconds:.0f} seconds"]
    if not change:
        return "unchanged", ["it changed no file"]
    found = grade(task, changed)
    return ("solved" if found.passed else "failed"), found.reasons


_OWN = """\
import importlib.util, pathlib, sys
ours = importlib.util.find_spec("torch_compile_casebook")
named = importlib.util.find_spec("validators")
folders = named.submodule_search_locations if named else []
in_a_checkout = any(pathlib.Path(folder, "probes").is_dir() for folder in folders)
sys.exit(in_a_checkout or ours is not None and ours.origin is not None)
"""
"""Fails if the casebook can be imported, but not for PyPI's distribution `validators`."""


def refuse_own(python: str) -> None:
    """Refuse an interpreter that imports the casebook, since both arms would find the catalog.

    Raises:
        CasebookError: it does.
    """
    if subprocess.run([python, "-I", "-c", _OWN], cwd="/", check=False).returncode:
        raise CasebookError(
            f"{python}: imports the casebook, which an agent would find;"
            " name a --python that has only torch"
        )
