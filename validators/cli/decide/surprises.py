"""The verdicts of a run that are news."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from validators.cli.output import ResultOutput, RunOutput
from validators.cli.tables import print_table
from validators.evidence.coverage import on_cpu
from validators.verdicts import DECIDED


def print_surprises(output: RunOutput) -> None:
    """Print a table of the verdicts that differ from the catalog's or, on a GPU, from the CPU's."""
    rows = [
        (result.case, result.column, result.verdict, why)
        for result in output.results
        if (why := "; ".join(_news(result)))
    ]
    if rows:
        print_table(("case", "column", "verdict", "but"), rows, title="Surprises")
    elif any(result.on_cpu for result in output.results):
        print("No surprise: every verdict is what the catalog expects, and what the CPU gives.")


def _news(result: ResultOutput) -> Iterator[str]:
    if result.agreement != "agrees":
        yield result.difference
    if result.verdict in DECIDED:
        for column, verdict in _comparable(result).items():
            if verdict != result.verdict:
                yield f"{verdict} on {column}"


def _comparable(result: ResultOutput) -> Mapping[str, str]:
    """The CPU's verdict on the same release; if there is none, those on all releases."""
    here = on_cpu(result.column)
    return {here: result.on_cpu[here]} if here in result.on_cpu else result.on_cpu
