"""`eval`: what the skills do for an agent, measured on tasks with a hidden grader."""

from __future__ import annotations

import datetime
import re
import tempfile
from pathlib import Path

import click

from validators.cli.output import GradeOutput, print_json
from validators.cli.places import Places, checkout_option, date_option, json_option
from validators.cli.ranges import FiniteRange
from validators.environment import Environment, describe
from validators.errors import CasebookError, printable
from validators.evals.agent import Agent
from validators.evals.folders import patched_copy
from validators.evals.grader import Grade, graded
from validators.evals.results import ARMS, Arm, Attempt
from validators.evals.run import Trial, attempts, keep, read_attempts
from validators.evals.summary import lines, summarized
from validators.evals.task import EvalTask, load_tasks
from validators.evals.triggers import baseline, descriptions, load_triggers

_FILE = click.Path(path_type=Path, dir_okay=False)
_THERE = click.Path(path_type=Path, exists=True)


@click.command("eval")
@click.option(
    "--agent", metavar="CMD", help="The agent's command line; {task} is the file with the request."
)
@click.option("--name", help="The agent's name in results; the command's first word if not given.")
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="Only this task; repeatable.")
@click.option("--tries", default=3, show_default=True, type=click.IntRange(1))
@click.option(
    "--minutes", type=FiniteRange(min=0, min_open=True), help="A limit other than the tasks'."
)
@click.option("--arms", default=",".join(ARMS), show_default=True, help="Which arms to try.")
@click.option("--env", "variables", multiple=True, metavar="VAR", help="A variable to pass on.")
@click.option("--python", metavar="P", help="An interpreter with torch, and without this project.")
@click.option("--output", type=_FILE, help="The file of results; evals/results/DATE-NAME.jsonl.")
@click.option("--grade", "change", type=_THERE, help="A changed copy, or a patch; needs --task.")
@click.option("--summarize", type=_FILE, help="Print the tables of a file of results.")
@click.option("--triggers", is_flag=True, help="Score word overlap on the trigger queries.")
@json_option
@date_option
@checkout_option
def eval_command(
    agent: str | None,
    name: str | None,
    tasks: tuple[str, ...],
    tries: int,
    minutes: float | None,
    arms: str,
    variables: tuple[str, ...],
    python: str | None,
    output: Path | None,
    change: Path | None,
    summarize: Path | None,
    triggers: bool,
    as_json: bool,
    date: datetime.datetime,
    places: Places,
) -> int:
    """Give tasks to an agent, with and without the skills, and grade what it changes.

    Or grade a changed copy of a task's repository, or a patch of it, with --grade PATH --task NAME,
    print the tables of a file of results with --summarize FILE, or score the trigger queries with
    --triggers.

    For example: python -m validators eval --agent 'my-agent --file {task}' --python P --tries 3

    Exit status: 0 done, 1 the graded change fails, 2 wrong usage or an invalid task.
    """
    evals = places.repository / "evals"
    if triggers and as_json:
        raise CasebookError("--json: does not go with --triggers; leave one of them out")
    if triggers:
        return _say(baseline(load_triggers(evals), descriptions(places.repository / "skills")))
    if summarize and not summarize.exists():
        raise CasebookError(f"{summarize}: is missing; name a file of evals/results")
    if summarize:
        return _summarized(read_attempts(summarize), as_json)
    chosen = load_tasks(evals / "tasks", tasks)
    if not python:
        raise CasebookError("--python: is missing; name an interpreter that has only torch")
    env = describe(python)
    if change:
        return _graded(chosen, change.resolve(), env, as_json)
    if not agent:
        raise CasebookError("--agent: is missing; give a command line, or --grade PATH")
    name = name or _name(agent)
    skills = places.repository / "skills"
    trial = Trial(Agent(agent, name, variables), chosen, _arms(arms), tries, skills, env, minutes)
    file = output or evals / "results" / f"{date:%Y-%m-%d}-{name}.jsonl"
    return _tried(trial, file, as_json)


def _tried(trial: Trial, file: Path, as_json: bool) -> int:
    def grade(task: EvalTask, changed: Path) -> Grade:
        return graded(task, [changed], trial.env)[0]

    known = read_attempts(file)
    for attempt in attempts(trial, grade, known):
        keep(attempt, file)
        click.echo(printable(_line(attempt)), err=True)
    return _summarized(read_attempts(file), as_json)


def _summarized(found: list[Attempt], as_json: bool) -> int:
    if as_json:
        print_json(summarized(found))
        return 0
    return _say(list(lines(found)))


def _graded(tasks: list[EvalTask], change: Path, env: Environment, as_json: bool) -> int:
    if len(tasks) != 1:
        raise CasebookError("--grade: needs one task; name it with --task")
    found = _grade(tasks[0], change, env)
    if as_json:
        print_json(
            GradeOutput(
                task=tasks[0].name,
                passed=found.passed,
                reasons=found.reasons,
                better=found.better,
            )
        )
    else:
        _say(found.reasons or [f"passed: {'; '.join(found.better)}"])
    return int(not found.passed)


def _grade(task: EvalTask, change: Path, env: Environment) -> Grade:
    """Grade a changed copy of the task's repository, or a patch of it."""
    with tempfile.TemporaryDirectory(prefix="eval-patch-") as name:
        copy = patched_copy(task.repo, change, Path(name) / "repo") if change.is_file() else change
        return graded(task, [copy], env)[0]


def _line(attempt: Attempt) -> str:
    reason = f": {attempt.reasons[0]}" if attempt.reasons else ""
    place = f"{attempt.task} {attempt.arm} {attempt.number + 1}"
    return f"{place}: {attempt.outcome} in {attempt.seconds} s{reason}"


def _say(said: list[str]) -> int:
    for line in said:
        click.echo(printable(line))
    return 0


def _arms(text: str) -> list[Arm]:
    given = [it.strip() for it in text.split(",")]
    if unknown := [it for it in given if it not in ARMS]:
        raise CasebookError(f"--arms: {unknown[0]} is no arm; choose from {', '.join(ARMS)}")
    return [it for it in ARMS if it in given]


def _name(command: str) -> str:
    first = Path((command.split() or ["agent"])[0]).name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", first) or "agent"
