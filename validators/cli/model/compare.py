"""`compare`: whether a model compiles worse than it did."""

from __future__ import annotations

from pathlib import Path

import click

from validators.cli.output import print_json
from validators.cli.places import json_option
from validators.cli.ranges import FiniteRange
from validators.diagnose.compare.benchmark import Benchmark
from validators.diagnose.compare.files import read_measured
from validators.diagnose.compare.lines import comparison_lines
from validators.diagnose.compare.reports import compare_benchmarks, compare_diagnoses
from validators.diagnose.findings.comparison import CHECKS, THRESHOLD, Comparison
from validators.diagnose.findings.finding import Diagnosis
from validators.errors import CasebookError, printable


def _names(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = tuple(it.strip() for it in (value or "").split(",") if it.strip())
    for name in names:
        if name not in CHECKS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(CHECKS)}")
    return names


@click.command("compare")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option(
    "--fail-on",
    metavar="NAME,...",
    callback=_names,
    help=f"What must not get worse, of {', '.join(CHECKS)}.  [default: all]",
)
@click.option(
    "--threshold",
    type=FiniteRange(min=0),
    default=THRESHOLD,
    show_default=True,
    metavar="PERCENT",
    help="The smallest difference of times that counts.",
)
@json_option
def compare_command(
    before: Path, after: Path, fail_on: tuple[str, ...], threshold: float, as_json: bool
) -> int:
    """Say what got better or worse between two reports of diagnose, or between two benchmarks.

    BEFORE and AFTER are both written by `diagnose --json`, or both hold raw seconds of warm calls,
    {"seconds": [0.0021, 0.0020]}, for example of eager calls and of compiled ones. Times are
    decided by 95 % intervals; if one holds the threshold, they are undecided.

    For example: python -m validators compare baseline.json now.json --fail-on graph-breaks

    Exit status: 0 nothing of --fail-on got worse, 1 something did, 2 the files cannot be compared.
    """
    found = _compared(before, after, threshold / 100)
    for name in fail_on:
        _check_measured(name, found)
    if as_json:
        print_json(found)
    else:
        for line in comparison_lines(found):
            click.echo(printable(line))
    return int(bool(set(found.worse) & set(fail_on or CHECKS)))


def _compared(before: Path, after: Path, threshold: float) -> Comparison:
    was, now = read_measured(before), read_measured(after)
    if isinstance(was, Diagnosis) and isinstance(now, Diagnosis):
        return compare_diagnoses(was, now, threshold)
    if isinstance(was, Benchmark) and isinstance(now, Benchmark):
        return compare_benchmarks(was, now, threshold)
    raise CasebookError(
        f"{before}, {after}: one is a report of diagnose and one a benchmark; compare two of a kind"
    )


def _check_measured(name: str, found: Comparison) -> None:
    """Refuse to pass a number that nobody measured."""
    number = next((it for it in found.numbers if it.name == name), None)
    if number is None:
        raise CasebookError(f"--fail-on {name}: benchmarks do not tell it; leave it out")
    if number.verdict == "missing":
        raise CasebookError(f"--fail-on {name}: {number.said}; diagnose both with that part")
