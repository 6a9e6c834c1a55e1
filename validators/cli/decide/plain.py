"""`plain`: run the plain programs, and say what compiled code does otherwise than eager mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from validators.cli.decide.recorded_runs import chosen, recorded_options
from validators.cli.decide.run import shard_option
from validators.cli.output import PlainOutput, ProgramOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.environment import Environment, describe
from validators.environment.column_name import by_release
from validators.errors import CasebookError, printable
from validators.plain.judge import Judge
from validators.plain.known import load_known
from validators.plain.programs import FOLDER, Program, load_programs
from validators.plain.record import Records, differences, load_plain, write_plain
from validators.plain.run import Runner
from validators.repository import Repository
from validators.runner.plan import in_part


@click.command("plain")
@recorded_options(900.0, "mode", "the records, and what is open")
@shard_option
@checkout_option
@json_option
def plain_command(
    places: Places,
    names: tuple[str, ...],
    python: str,
    timeout: float,
    record: bool,
    summary: bool,
    shard: tuple[int, int],
    as_json: bool,
) -> int:
    """Compile plain programs with Inductor, and compare what they compute with eager mode.

    Each NAME is a file in reference_models/plain; without names, all run: in training, under
    no_grad and under inference_mode, with batches of 4, 6 and 1, twice. Without --record, the
    results are compared with the record. A finding that no case explains is open.

    For example: python -m validators plain attention

    Exit status: 0 what has a record is as recorded, and nothing else is open; 1 if not; 2 wrong
    usage. With --summary, 1 if a record is missing or out of date.
    """
    programs = [it for it in _chosen(places, names) if names or in_part(it.name, *shard)]
    entries, unreadable = load_known(places.repository)
    known, damaged = load_plain(places.committed)
    if problems := [*unreadable, *damaged]:
        raise CasebookError(str(problems[0]))
    judge = Judge(Repository(places.catalog, [places.local]), entries)
    if summary:
        outputs = _recorded(programs, known, judge)
    else:
        outputs = _run(programs, places, describe(python), (timeout, record), judge, known)
    told = []
    for it in outputs:
        told.append(it)
        if not as_json:
            click.echo("\n".join(map(printable, _lines(it))))
    if as_json:
        print_json(PlainOutput(programs=told))
    return int(any(it.differs or (it.stale and (summary or _open(it))) for it in told))


def _chosen(places: Places, names: Sequence[str]) -> list[Program]:
    programs, problems = load_programs(places.repository)
    if problems:
        raise CasebookError(str(problems[0]))
    unknown = f"is not a plain program; name one of {', '.join(it.name for it in programs)}"
    return chosen(programs, names, places.repository / FOLDER, "program", unknown)


def _run(
    programs: Sequence[Program],
    places: Places,
    env: Environment,
    options: tuple[float, bool],
    judge: Judge,
    known: Records,
) -> Iterator[ProgramOutput]:
    """Run the programs; `options` are the time limit, and whether to record."""
    timeout, record = options
    with Runner(env, places.repository, timeout) as runner:
        for program in programs:
            new = runner.run(program)
            if record:
                write_plain(places.committed, program.name, env.column, new)
            old = new if record else known.get(program.name, {}).get(env.column)
            current = old is not None and old.digest == new.digest
            yield ProgramOutput(
                program=program.name,
                column=env.column,
                findings=judge.judged(program.name, env.column, new),
                stale="" if current else f"there is no current record on {env.column}",
                differs=differences(old, new) if old and current else [],
            )


def _recorded(programs: Sequence[Program], known: Records, judge: Judge) -> Iterator[ProgramOutput]:
    for program in programs:
        columns = known.get(program.name, {})
        if not columns:
            yield ProgramOutput(program=program.name, stale="has no record")
        for column in sorted(columns, key=by_release):
            record = columns[column]
            yield ProgramOutput(
                program=program.name,
                column=column,
                findings=judge.judged(program.name, column, record),
                undecided=[it for it in program.modes if it not in record.modes],
                stale="" if record.digest == program.digest else "the file has changed since",
            )


def _open(it: ProgramOutput) -> bool:
    return any(not one.case for one in it.findings)


def _lines(it: ProgramOutput) -> list[str]:
    head = f"{it.program}, {it.column}" if it.column else it.program
    lines = [f"{head}:" if it.findings else f"{head}: no finding"]
    for one in it.findings:
        says = f": {one.says}" if one.says else ""
        modes = ", ".join(one.modes)
        lines.append(f"   {one.case or 'OPEN'}: {one.kind.replace('_', ' ')} in {modes}{says}")
    if it.undecided:
        lines.append(f"   undecided: {', '.join(it.undecided)}")
    if it.stale:
        lines.append(f"   not compared: {it.stale}")
    return [*lines, *(f"   differs: {line}" for line in it.differs)]
