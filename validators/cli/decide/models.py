"""`models`: run the real models, and say what explains what breaks in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from validators.cli.decide.recorded_runs import chosen, recorded_options
from validators.cli.output import ModelOutput, ModelsOutput, print_json
from validators.cli.places import Places, checkout_option, json_option
from validators.cli.tables import print_table
from validators.corpus.labels import Label, load_labels, scores
from validators.corpus.models import FOLDER, Model, load_models, versions_in
from validators.corpus.records.record import (
    ModelRecord,
    Records,
    differences,
    load_records,
    write_record,
)
from validators.corpus.run import run_model
from validators.corpus.settled import load_settled
from validators.corpus.stale import Pins, pins_in, why_stale
from validators.corpus.summary import Judge, Judged, Row, row_of, still_open
from validators.environment import Environment, describe
from validators.environment.column_name import by_release
from validators.errors import CasebookError, printable
from validators.repository import Repository

_INSTALL = "tools/models.sh makes an environment that has all"


@click.command("models")
@recorded_options(600.0, "part", "the records, and what is open")
@checkout_option
@json_option
def models_command(
    places: Places,
    names: tuple[str, ...],
    python: str,
    timeout: float,
    record: bool,
    summary: bool,
    as_json: bool,
) -> int:
    """Run the real models of published packages, and say what explains what breaks in them.

    Each NAME is a file in reference_models/real; without names, all run. A model whose packages
    the interpreter lacks is left out. Without --record, the results are compared with the record.

    For example: python -m validators models encodec --python $(sh tools/models.sh)

    Exit status: 0 the results are as recorded, 1 they differ, 2 wrong usage, or a named model
    cannot run here, 3 a model broke.
    """
    models = _chosen(places, names)
    settled, unreadable = load_settled(places.repository)
    known, damaged = load_records(places.committed)
    if problems := [*unreadable, *damaged]:
        raise CasebookError(str(problems[0]))
    judge = Judge(Repository(places.catalog, [places.local]), settled)
    if summary:
        labels = load_labels(places.repository)
        return _summarize(models, known, judge, pins_in(places.repository), labels, as_json)
    env = describe(python)
    packages = versions_in(env.python, [it for model in models for it in model.imports])
    told: list[ModelOutput] = []
    opened: list[tuple[str, Judged]] = []
    for model in models:
        lacking = [it for it in model.imports if it not in packages]
        if lacking:
            message = f"there is no package {', '.join(lacking)}; {_INSTALL}"
            if names:
                raise CasebookError(f"{model.name}: {message}")
            told.append(ModelOutput(model=model.name, left_out=message))
        else:
            versions = dict(packages[it] for it in model.imports)
            new = _run(model, places, env, versions, timeout)
            told.append(_told(model, new, known, judge, record))
            if isinstance(new, ModelRecord):
                opened += [(model.name, it) for it in judge.findings(new)]
                if record:
                    write_record(places.committed, new)
        if not as_json:
            for line in _lines(told[-1]):
                click.echo(printable(line))
    if as_json:
        print_json(ModelsOutput(models=told, open=still_open(opened)))
    if any(it.failure for it in told):
        return 3
    return int(any(it.differs or it.stale for it in told))


def _chosen(places: Places, names: Sequence[str]) -> list[Model]:
    models = load_models(places.repository)[0]
    unknown = f"is not a model; name one of {', '.join(it.name for it in models)}"
    return chosen(models, names, places.repository / FOLDER, "model", unknown)


def _run(
    model: Model, places: Places, env: Environment, versions: dict[str, str], timeout: float
) -> ModelRecord | str:
    """The new record, or how the model broke."""
    try:
        return run_model(model, places.repository, env, versions, timeout)
    except CasebookError as error:
        return str(error)


def _told(
    model: Model, new: ModelRecord | str, known: Records, judge: Judge, record: bool
) -> ModelOutput:
    if isinstance(new, str):
        return ModelOutput(model=model.name, failure=new)
    row = row_of(new, judge.findings(new))
    if record:
        return ModelOutput(model=model.name, row=row)
    old = known.get((model.name, new.column))
    stale = "" if old else f"there is no record on {new.column}"
    if old and old.packages == new.packages:
        stale = why_stale(old, model, lambda _: {})
    elif old:
        stale = f"the record is of {_versions(old)}, and {_versions(new)} is installed"
    differs = differences(old, new) if old and not stale else []
    return ModelOutput(model=model.name, row=row, stale=stale, differs=differs)


def _versions(record: ModelRecord) -> str:
    return ", ".join(f"{name} {version}" for name, version in record.packages.items())


def _lines(it: ModelOutput) -> Iterator[str]:
    if it.row is None:
        yield f"{it.model}: {f'left out: {it.left_out}' if it.left_out else it.failure}"
        return
    row = it.row
    counts = f"{row.graphs} graphs, {row.breaks} breaks, {row.recompiles} recompiles"
    levels = ", ".join(f"{count} {level}" for level, count in _levels(row) if count)
    said = f"; {row.findings} findings: {levels}" if row.findings else "; no finding"
    raised = f"; raises {row.raised}" if row.raised else ""
    yield f"{it.model}: {counts}{raised}{said}{f'; fix {row.fix}' if row.fix else ''}"
    if it.stale:
        yield f"   not compared: {it.stale}"
    yield from (f"   differs: {line}" for line in it.differs)


def _levels(row: Row) -> list[tuple[str, int]]:
    names = ("explained", "settled", "suspected", "unknown")
    return [(name, getattr(row, name)) for name in names]


def _summarize(
    models: list[Model],
    known: Records,
    judge: Judge,
    pinned: Pins,
    labels: list[Label],
    as_json: bool,
) -> int:
    """Print what the records say; exit status 1 if a model has none, or one out of date."""
    told = []
    opened: list[tuple[str, Judged]] = []
    for model in models:
        records = [it for (name, _), it in known.items() if name == model.name]
        if not records:
            told.append(ModelOutput(model=model.name, stale="has no record"))
        for it in records:
            found = judge.findings(it)
            opened += [(model.name, one) for one in found]
            stale = why_stale(it, model, pinned)
            stale = stale and f"the record is out of date: {stale}"
            told.append(ModelOutput(model=model.name, row=row_of(it, found), stale=stale))
    output = ModelsOutput(models=told, open=still_open(opened), labelled=scores(labels, opened))
    if as_json:
        print_json(output)
    else:
        _print_summary(output)
    return int(any(it.stale for it in told))


def _print_summary(output: ModelsOutput) -> None:
    rows = [it.row for it in output.models if it.row]
    columns = ("model", "torch", "graphs", "breaks", "recompiles", "explained", "settled")
    print_table((*columns, "suspected", "unknown", "fix"), [_cells(it) for it in rows])
    for column in sorted({it.column for it in rows}, key=by_release):
        click.echo(_share(column, [it for it in rows if it.column == column]))
    for level, (right, every) in output.labelled.items():
        if every:
            click.echo(f"labelled by the source: of {every} cases {level}, {right} are right")
    for it in output.models:
        if it.stale:
            click.echo(printable(f"{it.model}: {it.stale}"))
    if output.open:
        click.echo("Open, by place and reason:")
    for one in output.open:
        nearest = f" (suspected: {one.suspected})" if one.suspected else ""
        shown = f"{len(one.models)} models, {one.count} times: {', '.join(one.models)}"
        click.echo(printable(f"  {one.place}  {one.kind}: {one.says}{nearest}"))
        click.echo(printable(f"      {shown}"))


def _cells(row: Row) -> list[str]:
    counts = [row.graphs, row.breaks, row.recompiles, *(count for _, count in _levels(row))]
    return [row.model, row.column, *map(str, counts), row.fix or "-"]


def _share(column: str, rows: list[Row]) -> str:
    total = sum(it.findings for it in rows) or 1
    strict, settled = sum(it.explained for it in rows), sum(it.settled for it in rows)
    return (
        f"{column}: {len(rows)} models, {total} findings; "
        f"diagnose explains {100 * strict // total}%,"
        f" with what people settled {100 * (strict + settled) // total}%"
    )
