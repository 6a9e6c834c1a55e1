"""Checks of examples: they stand alone, are short, and their runs agree with the proof."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from validators.catalog import Case, example_is_for
from validators.catalog.example import MOST_LINES, SIDES, Program, programs
from validators.errors import Problem
from validators.evidence.status import device_of
from validators.evidence.stored.examples import ExampleRun, example_digest, examples_file
from validators.families.illustrations import exampled
from validators.repository import Repository

RUN = "python -m validators examples --record"
_ALWAYS = sys.stdlib_module_names | {"torch"}


def check_example(case: Case) -> Iterator[Problem]:
    """Defects of the example on a case's page."""
    found = programs(case.body)
    if found and [it.side for it in found] != list(SIDES):
        message = "has an incomplete example; write one block titled `before`, then one `after`"
        yield Problem(case.page, case.body_line + found[0].line, message)
        return
    for program in found:
        for line, message in _defects(case, program):
            yield Problem(case.page, case.body_line + program.line + line, message)
    if found and not (case.meta.uncompiled or any("compile" in it.code for it in found)):
        message = "the example compiles nothing; call `torch.compile` as users do"
        yield Problem(case.page, case.body_line + found[0].line, message)
    if found and found[0].code == found[1].code:
        yield Problem(
            case.page, case.body_line + found[1].line, "`after` equals `before`; change it"
        )


def _defects(case: Case, program: Program) -> Iterator[tuple[int, str]]:
    lines = [line for line in program.code.split("\n") if line.strip()]
    if len(lines) > MOST_LINES:
        yield 0, f"`{program.side}` has {len(lines)} lines of code; write at most {MOST_LINES}"
    try:
        tree = ast.parse(program.code)
    except (SyntaxError, ValueError) as error:
        yield getattr(error, "lineno", 1) or 1, f"`{program.side}` is not Python ({error}); fix it"
        return
    tried = {it for node in ast.walk(tree) if isinstance(node, ast.Try) for it in ast.walk(node)}
    for node in ast.walk(tree):
        for name in _imported(node) if node not in tried else ():
            if name.partition(".")[0] not in _ALWAYS | set(case.meta.needs):
                message = f"`{program.side}` imports {name!r}; use torch and what `needs` names"
                yield node.lineno - 1, message  # type: ignore[attr-defined]


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or "."] if isinstance(node, ast.ImportFrom) else []


def check_example_runs(repository: Repository) -> Iterator[Problem]:
    """Runs of examples that have changed since, and runs that disagree with the proof."""
    pages = exampled(repository)
    for name, runs in repository.examples.items():
        file = examples_file(repository.committed, name)
        case = pages.get(name)
        if case is None:
            if name not in repository.names:
                yield Problem(file, 0, f"{name} is not a case or an illustration; delete the file")
            continue
        for column, run in runs.columns.items():
            if message := _wrong(repository, case, column, run):
                yield Problem(file, 0, f"{column}: {message}")


def _wrong(repository: Repository, case: Case, column: str, run: ExampleRun) -> str:
    """The defect of a run of an example; "" if it has none."""
    if run.digest != example_digest(case):
        return f"the example has changed since it ran; run it again with `{RUN}`"
    if not example_is_for(case.meta, run.torch, device_of(column)):
        return "the example is for other releases or another device; delete this line"
    status = repository.status_of(case, column)
    return f"{status.second}; fix one" if status.state == "error" and status.second else ""
