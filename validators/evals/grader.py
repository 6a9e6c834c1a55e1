"""Grade a change: `verify-fix` with the original caller's calls, and the task's conditions."""

from __future__ import annotations

import ast
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.diagnose.findings.finding import Health, Verification
from validators.diagnose.fix.verify import Reference, compared, part_of, referred
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, ask_all
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.evals.folders import copied, restore
from validators.evals.task import CHECK, FACTORY, Checked, Conditions, EvalTask, Script

_SECONDS = 120.0
_SAME = "nothing compiles better"
"""How `verify-fix` refuses a change after which everything but the numbers is as before."""
_CHECKPOINTS = "old checkpoints"
"""How `verify-fix` names a change after which they do not load, which no caller here wants."""


@dataclass(frozen=True)
class Grade:
    """What the grader says of a change: why it fails (nothing if it passes), and what improved."""

    reasons: list[str]
    better: list[str]

    @property
    def passed(self) -> bool:
        """Whether the change fixes the defect and keeps what must stay."""
        return not self.reasons


def graded(task: EvalTask, folders: Sequence[Path], env: Environment) -> list[Grade]:
    """The grade of each changed copy of the task's repository.

    Raises:
        CasebookError: the task's own factory cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="eval-grade-") as name:
        root = Path(name)
        original = copied(task.repo, root / "original")
        copies = [copied(it, root / f"changed-{n}") for n, it in enumerate(folders)]
        for copy in copies:
            restore(task.conditions.restored, task.repo, copy)
        conditions = task.conditions
        if isinstance(conditions, Checked):
            program = str(task.hidden / CHECK)
            return [Grade(_checked(program, conditions, it, env), []) for it in copies]

        async def run(asking: Asking) -> list[Grade]:
            before = await referred(asking, _target(task, original))
            return [await _graded(asking, task, conditions, before, it) for it in copies]

        return ask_all(env, {"backend": conditions.backend}, _SECONDS, run)


def _checked(program: str, conditions: Checked, copy: Path, env: Environment) -> list[str]:
    """What the task's own program says against a changed copy."""
    words = [env.python, program, str(copy), conditions.check]
    try:
        done = _run(words, copy, 5 * _SECONDS)
    except subprocess.TimeoutExpired:
        return [f"{conditions.check} could not be decided within {5 * _SECONDS:.0f} seconds"]
    if not done.returncode:
        return []
    said = done.stdout.splitlines() or done.stderr.splitlines()[-1:]
    return [masked(it, copy) for it in said] or [f"{CHECK} ended with {done.returncode}"]


async def _graded(
    asking: Asking, task: EvalTask, conditions: Conditions, before: Reference, copy: Path
) -> Grade:
    reasons = [
        *_other_signatures(conditions, task.repo, copy),
        *_script_failures(conditions.script, copy, asking.workers.env.python),
    ]
    better: list[str] = []
    try:
        found = await compared(asking, before, _target(task, copy))
        reasons += [*_refusals(conditions, found), *_checkpoints(found)]
        reasons += _excess(conditions, found.after)
        reasons += await _too_many_ops(asking, _target(task, copy), conditions, before)
        better = found.better
    except CasebookError as error:
        reasons.append(str(error))
    return Grade([masked(it, copy) for it in reasons], better)


def _target(task: EvalTask, folder: Path) -> Spec:
    """The hidden factory, which imports the model from `folder`."""
    file = (task.hidden / "factory.py").resolve()
    return Spec(str(file), FACTORY, folder, (str(folder),), file)


def _refusals(conditions: Conditions, found: Verification) -> list[str]:
    said = found.refused
    return [it for it in said if not (conditions.compiles_alike and it.startswith(_SAME))]


def _checkpoints(found: Verification) -> list[str]:
    return [it for it in found.named if it.startswith(_CHECKPOINTS)]


def _excess(conditions: Conditions, health: Health) -> Iterator[str]:
    for name in ("graphs", "breaks", "recompiles"):
        most, counted = getattr(conditions, name), getattr(health, name)
        if counted > most:
            yield f"it has {counted} {name}; at most {most} are needed"


async def _too_many_ops(
    asking: Asking, target: Spec, conditions: Conditions, before: Reference
) -> list[str]:
    """Why the first call traces too much; asks nothing if the task does not limit that."""
    reasons: list[str] = []
    if (most := conditions.ops) is not None:
        found = await part_of(asking, target, "whole", before.recording)
        reasons += _excess_of_ops("", found["first"], most)
    if (most := conditions.block_ops) is not None:
        found = await part_of(asking, target, "latency", before.recording)
        reasons += _excess_of_ops(", compiled block by block,", found["regional"], most)
    return reasons


def _excess_of_ops(how: str, first: dict[str, Any] | None, most: int) -> Iterator[str]:
    """Why a first call, measured by `validators.worker.measuring`, traces too much."""
    if not first or "ops" not in first:
        yield f"the first call{how} could not be measured"
    elif first["ops"] > most:
        yield f"the first call{how} traces {first['ops']} ops; at most {most} are needed"


def _other_signatures(conditions: Conditions, before: Path, after: Path) -> Iterator[str]:
    for place in conditions.signatures:
        was, now = _arguments(before, place), _arguments(after, place)
        if was != now:
            yield f"{place} takes other arguments: ({now}), took ({was})"


def _arguments(root: Path, place: str) -> str | None:
    """The arguments of the function at `file.py:Class.method`; None if there is none."""
    name, _, dotted = place.partition(":")
    try:
        body = ast.parse((root / name).read_text(encoding="utf-8")).body
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None
    found: ast.stmt | None = None
    for part in dotted.split("."):
        found = next((it for it in body if getattr(it, "name", "") == part), None)
        body = getattr(found, "body", [])
    return ast.unparse(found.args) if isinstance(found, ast.FunctionDef) else None


def _script_failures(script: Script, copy: Path, python: str) -> Iterator[str]:
    """Why the caller's own script no longer does what it did."""
    name = script.run[0]
    try:
        done = _run([python, *script.run], copy, _SECONDS)
    except subprocess.TimeoutExpired:
        yield f"the caller's {name} did not end within {_SECONDS:.0f} seconds"
        return
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        yield f"the caller's {name} fails: {last}"
    elif not re.search(script.prints, done.stdout):
        yield f"the caller's {name} no longer prints what it did"


def _run(words: list[str], folder: Path, seconds: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
        check=False,
    )
