"""Find a failure of a target, make it smaller, write a script for it, and check that script."""

from __future__ import annotations

import shutil
import tempfile
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.masking.mask import masked
from validators.diagnose.run import Plan, diagnosed_by
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.repro.check import NAME, Checked, checked
from validators.repro.copies import copies_of
from validators.repro.folder import ARCHIVE, Written, write
from validators.repro.goal import Goal, goal_of
from validators.repro.result import Reproduction, Tried
from validators.repro.script import FILES, FORMS, SAVED, Form, Subject, script
from validators.repro.search import Search, smallest
from validators.repro.source import Inextricable

_PARTS = {
    "wrong_results": ("results",),
    "graph_break": ("breaks",),
    "recompile": ("breaks",),
}
"""The parts of a diagnosis that find each kind; both for any other."""
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Order:
    """What to reproduce: a target, which of its failures, and the folder to write."""

    spec: Spec
    finding: int | None
    kind: str | None
    out: Path
    options: dict[str, Any]
    timeout: float


def reproduced(order: Order, env: Environment, explainer: Explainer, tell: Tell) -> Reproduction:
    """Reproduce one failure of the target; `tell` hears of each step.

    Raises:
        CasebookError: the target cannot be used, or has no such finding.
    """
    with Session(env, order.options, order.timeout) as session:
        diagnosis = _diagnosed(session, order, env, explainer, tell)
        goal = goal_of(diagnosis, order.finding, order.kind)
        found = Reproduction(
            target=str(order.spec),
            torch=env.fingerprint.torch,
            python=env.fingerprint.python,
            finding=goal.finding if goal else None,
            folder=str(order.out),
        )
        if goal is None:
            _refuse_without_result(diagnosis)
        else:
            session.ask(Work(order, env, goal, found, tell).reduce)
    without_names: Reproduction = masked(found, order.spec.folder)
    return without_names


def _refuse_without_result(diagnosis: Diagnosis) -> None:
    for part in diagnosis.parts:
        if part.failure:
            said = f"the part {part.name} of the diagnosis gave no result: {part.failure}"
            remedy = "raise --timeout" if "longer" in part.failure else "run `diagnose` for more"
            raise CasebookError(f"{diagnosis.target}: {said}; {remedy}")


def _diagnosed(
    session: Session, order: Order, env: Environment, explainer: Explainer, tell: Tell
) -> Diagnosis:
    kind = "" if order.finding else order.kind or ""
    _refuse_other_files(order.out)
    parts = _PARTS.get(kind, ("breaks", "results"))
    plan = Plan(order.spec, parts, order.options, order.timeout)
    return diagnosed_by(session, plan, env, explainer, lambda it: tell(f"diagnose, {it}"))


def _refuse_other_files(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / ARCHIVE).is_file():
        raise CasebookError(f"{folder}: holds files of another kind; name a new folder by --out")


@dataclass(frozen=True)
class Work:
    """Fills in what is found of one failure."""

    order: Order
    env: Environment
    goal: Goal
    found: Reproduction
    tell: Tell

    async def reduce(self, asking: Asking) -> None:
        """Find the smallest part that fails, and write the script for it."""
        spec, found = self.order.spec, self.found
        self.tell(f"reproducing: {self.goal.title}")
        search = Search(asking, spec, self.goal, self._heard)
        found.tried = search.tried
        found.part = await smallest(search)
        if found.part is None:
            return
        values = asking.workers.directory / SAVED
        made = await search.ask("describe", found.part, str(values))
        if "failure" in made:
            raise CasebookError(f"{spec}: cannot be described: {made['failure']}")
        found.type = made["type"]
        copies = copies_of(made, spec)
        subject = Subject(str(spec), self.goal, found.part, made, self.order.options, copies)
        with tempfile.TemporaryDirectory(prefix="repro-") as name:
            self._write(subject, Path(name) / "repro", values)

    def _heard(self, it: Tried) -> None:
        self.tell(f"{it.what}: {'same failure' if it.shows else it.said}")

    def _write(self, subject: Subject, folder: Path, values: Path) -> None:
        run = self._script(subject, folder, values)
        if run is None:
            return
        written = Written(subject, self.found, run, self.env, self.order.spec.folder)
        self.found.files = write(self.order.out, folder, written)

    def _script(self, subject: Subject, folder: Path, values: Path) -> Checked | None:
        """Write the first form of the script that fails as recorded; the largest if none does."""
        run = None
        for form in FORMS:
            if not self._filled(subject, form, folder, values):
                continue
            run = checked(folder, self.env.python, self.order.timeout, self.goal)
            said = textwrap.shorten(run.said, 200, placeholder=" ...")
            self.tell(f"{NAME} with {form.said}: {said}")
            self.found.form, self.found.checked = form.said, run.same
            self.found.left_out = subject.copies.left_out if form.model == "files" else []
            if run.same:
                break
        return run

    def _filled(self, subject: Subject, form: Form, folder: Path, values: Path) -> bool:
        """Write the files of one form; False if the subject has no such form."""
        origin = self.order.spec.folder
        try:
            text = script(subject, form)
        except Inextricable as error:
            self.tell(f"{NAME} cannot have {form.said}: {error}")
            return False
        if text is None:
            return False
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / NAME).write_text(masked(text, origin), encoding="utf-8")
        if form.inputs == "saved":
            shutil.copy(values, folder / SAVED)
        if form.model == "files":
            subject.copies.write(folder / FILES)
        return True
