"""`silent`: run the programs of silent errors, and say what compiled code computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from validators.cli.decide.recorded_runs import chosen, recorded_options
from validators.cli.decide.run import shard_option
from validators.cli.output import SilentErrorOutput, SilentOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.environment import Environment
from validators.environment.any_device import environment_on
from validators.environment.column_name import by_release
from validators.errors import CasebookError, printable
from validators.pretended.boards import BOARDS
from validators.runner.plan import in_part
from validators.silent.programs import FOLDER, SilentError, load_silent
from validators.silent.record import (
    Computed,
    Records,
    cost_in_words,
    load_computed,
    write_computed,
)
from validators.silent.run import Runner

_WORKAROUND = {
    "equal": "; the workaround gives eager mode's result",
    "wrong": "; the workaround is wrong, too",
    "raises": "; the workaround raises",
}

_NEEDS = {
    "": "use --device cpu",
    "triton": "use --device sm_90, or cuda",
    "cuda": "use --device cuda",
}
"""What decides a program, by what it needs."""


@click.command("silent")
@recorded_options(300.0, "program", "the records")
@click.option(
    "--device", type=click.Choice(["cpu", "cuda", *BOARDS]), default="cpu", show_default=True
)
@shard_option
@checkout_option
@json_option
def silent_command(
    places: Places,
    names: tuple[str, ...],
    python: str,
    timeout: float,
    record: bool,
    summary: bool,
    device: str,
    shard: tuple[int, int],
    as_json: bool,
) -> int:
    """Compile the programs of silent errors, and compare what they compute with eager mode.

    Each NAME is a file in playbooks/silent; without names, all run. Without --record, the results
    are compared with the record. With --device cuda, the programs run that a CPU does not decide.
    With an architecture such as sm_90, Inductor compiles for that GPU, and Triton's interpreter
    runs the kernels on the CPU.

    For example: python -m validators silent --summary

    Exit status: 0 all is as recorded, 1 if not, 2 wrong usage. With --summary, 1 if a record is
    missing or out of date.
    """
    errors = [error for error in _chosen(places, names) if names or in_part(error.name, *shard)]
    known, damaged = load_computed(places.committed)
    if damaged:
        raise CasebookError(str(damaged[0]))
    if not summary:
        errors = [*_runnable(errors, names, device, known)]
    outputs: Iterator[SilentErrorOutput]
    if summary:
        outputs = (row for error in errors for row in _recorded(error, known))
    else:
        outputs = _run(errors, places, environment_on(python, device), (timeout, record), known)
    rows = []
    for row in outputs:
        rows.append(row)
        if not as_json:
            click.echo(printable(_line(row)))
    if as_json:
        print_json(SilentOutput(errors=rows))
    return int(any(row.differs for row in rows))


def _run(
    errors: Sequence[SilentError],
    places: Places,
    env: Environment,
    options: tuple[float, bool],
    known: Records,
) -> Iterator[SilentErrorOutput]:
    """Run the programs; `options` are the time limit, and whether to record."""
    timeout, record = options
    with Runner(env, places.repository, timeout) as runner:
        for error in errors:
            new, old = runner.run(error), known.get(error.name, {}).get(env.column)
            kept = record and new.verdict != "failed"
            if kept:
                write_computed(places.committed, error.name, env.column, new)
            yield _output(error, env.column, new, "" if kept else _differs(old, new))


def _chosen(places: Places, names: Sequence[str]) -> list[SilentError]:
    errors, problems = load_silent(places.repository)
    if problems:
        raise CasebookError(str(problems[0]))
    unknown = "is no silent error; `silent --summary` lists them"
    return chosen(errors, names, places.repository / FOLDER, "program", unknown)


def _runnable(
    errors: Sequence[SilentError], names: Sequence[str], device: str, known: Records
) -> Iterator[SilentError]:
    """The programs that a device decides; one that is named and that it does not is an error.

    For a GPU that is not there, those are the ones that Inductor compiles wrongly.
    """
    for error in errors:
        backends = {one.backend for one in known.get(error.name, {}).values()}
        by_device = {"cpu": not error.needs, "cuda": bool(error.needs)}
        compiled = error.needs == "triton" or (not error.needs and "inductor" in backends)
        if by_device.get(device, compiled):
            yield error
        elif names:
            raise CasebookError(
                f"{error.name}: --device {device} does not decide it; {_NEEDS[error.needs]}"
            )


def _recorded(error: SilentError, known: Records) -> list[SilentErrorOutput]:
    columns, digest = known.get(error.name, {}), error.digest
    if not columns and error.needs:
        return [SilentErrorOutput(name=error.name, says=f"waits: {_NEEDS[error.needs]}")]
    if not columns:
        return [SilentErrorOutput(name=error.name, differs="has no record")]
    changed = "the program has changed since"
    return [
        _output(error, column, record, "" if record.digest == digest else changed)
        for column, record in sorted(columns.items(), key=lambda item: by_release(item[0]))
    ]


def _differs(old: Computed | None, new: Computed) -> str:
    if old is None or old.digest != new.digest:
        return "there is no current record"
    was, now = ((one.verdict, one.backend, one.instead) for one in (old, new))
    return "" if was == now else f"{' '.join(filter(None, was))} is recorded"


def _output(error: SilentError, column: str, computed: Computed, differs: str) -> SilentErrorOutput:
    return SilentErrorOutput(
        name=error.name,
        column=column,
        verdict=computed.verdict,
        says=computed.says,
        backend=computed.backend,
        instead=computed.instead,
        cost=cost_in_words({column: computed}),
        differs=differs,
    )


def _line(row: SilentErrorOutput) -> str:
    head = f"{row.name}, {row.column}: {row.verdict}" if row.column else row.name
    of = f" from backend {row.backend} on" if row.backend else ""
    says = f" ({row.says})" if row.says else ""
    differs = f" DIFFERS: {row.differs}" if row.differs else ""
    cost = f" for {row.cost}" if row.cost else ""
    return f"{head}{of}{says}{_WORKAROUND.get(row.instead, '')}{cost}{differs}"
