"""Checks of the evaluation's tasks: files, patches that apply, and no hint where an agent reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from validators.catalog.page import InvalidPage
from validators.errors import CasebookError, Problem
from validators.evals.folders import patch_conflict
from validators.evals.task import CHECK, Checked, Conditions, EvalTask, load_task


def check_tasks(repository: Path) -> tuple[int, list[Problem]]:
    """Return how many tasks the repository has, and their defects."""
    root = repository / "evals" / "tasks"
    folders = sorted(path for path in root.glob("*") if path.is_dir())
    return len(folders), list(_check_all(root, folders))


def _check_all(root: Path, folders: list[Path]) -> Iterator[Problem]:
    try:
        for folder in folders:
            yield from _check(folder)
    except CasebookError as error:  # git is missing: once, not for each patch
        yield Problem(root, 0, str(error))


def _check(folder: Path) -> Iterator[Problem]:
    try:
        task = load_task(folder)
    except InvalidPage as error:
        yield from error.problems
        return
    yield from _files(task)
    yield from _hints(task)
    yield from _patches(task)


def _files(task: EvalTask) -> Iterator[Problem]:
    """What a task lacks, or names and lacks."""
    conditions, grader = task.conditions, task.hidden / "grader.yaml"
    decides = f"hidden/{CHECK}" if isinstance(conditions, Checked) else "hidden/factory.py"
    for name in ["task.md", "repo/README.md", decides, "hidden/reference.patch"]:
        if not (task.folder / name).exists():
            yield Problem(task.folder, 0, f"has no {name}; add it")
    if len(task.wrong) < 2:
        message = "has fewer than two files wrong_*.patch; add plausible wrong fixes"
        yield Problem(task.hidden, 0, message)
    for name in [*conditions.restored, conditions.program]:
        if not (task.repo / name).is_file():
            yield Problem(grader, 0, f"names {name}, which repo/ lacks; add it or name another")
    if isinstance(conditions, Conditions) and conditions.program not in conditions.restored:
        yield Problem(grader, 0, "does not restore its script; list it")


def _hints(task: EvalTask) -> Iterator[Problem]:
    """Names of cases where the agent can read them."""
    for file in [task.folder / "task.md", *task.repo.rglob("*")]:
        if file.is_file() and "__pycache__" not in file.parts:
            text = file.read_text(encoding="utf-8", errors="replace")
            for case in task.about.cases:
                if case in text:
                    message = f"names the case {case}, which the agent would look up; remove it"
                    yield Problem(file, 0, message)


def _patches(task: EvalTask) -> Iterator[Problem]:
    """Patches that do not apply to the task's repository."""
    for patch in [task.reference, *task.wrong]:
        if patch.exists() and (reason := patch_conflict(patch, task.repo)):
            yield Problem(patch, 0, reason)
