"""The verdicts of a run that are news."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from validators.cli.output import ResultOutput, RunOutput
from validators.evidence.record import DECIDED


def print_surprises(output: RunOutput) -> None:
    """Print a table of the verdicts that differ from the catalog's or, on a GPU, from the CPU's."""
    rows = [(result, why) for result in output.results if (why := "; ".join(_news(result)))]
    if rows:
        _print_table(rows)
    elif any(result.on_cpu for result in output.results):
        print("No surprise: every verdict is what the catalog expects, and what the CPU gives.")


def _news(result: ResultOutput) -> Iterator[str]:
    if result.agreement != "agrees":
        yield result.difference
    if result.verdict in DECIDED:
        for column, verdict in result.on_cpu.items():
            if verdict != result.verdict:
                yield f"{verdict} on {column}"


def _print_table(rows: list[tuple[ResultOutput, str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "case",
        "column",
        "verdict",
        "but",
        title="Surprises",
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    for result, why in rows:
        table.add_row(result.case, result.column, result.verdict, why)
    # A pipe has no width; rich would break the sentences to fit 80 columns.
    width = None if sys.stdout.isatty() else 250
    Console(file=sys.stdout, highlight=False, width=width).print(table)
