"""The command line: `python -m benchmarks`."""

from __future__ import annotations

import importlib
import time
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.growth import svg
from benchmarks.measures import Measure
from benchmarks.report import render
from benchmarks.results import Results, load, result, store
from benchmarks.size import FULL, QUICK
from validators.errors import run_command

BENCHMARKS = {
    "cli": "benchmarks.command_line",
    "site": "benchmarks.site_build",
    "arms": "benchmarks.arms",
    "run": "benchmarks.whole_run",
    "overhead": "benchmarks.schedule",
    "cluster": "benchmarks.cluster",
    "plan": "benchmarks.plan",
    "memory": "benchmarks.loud_arms",
    "diagnosis": "benchmarks.diagnosis",
}
"""Each benchmark's module: a `TITLE`, and `run(size)`, which yields measures."""

HERE = Path(__file__).parent


@click.command(
    help=f"Measure the machine: all benchmarks, or those named ({' '.join(BENCHMARKS)})."
)
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)), metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="Small sizes, to see whether it works, not how fast.")
@click.option("--cases", type=click.IntRange(1), help="How many cases the synthetic catalog has.")
@click.option("--columns", type=click.IntRange(1, 8), help="How many columns of evidence it has.")
@click.option("--rounds", type=click.IntRange(1), help="How many samples of quick things to take.")
@click.option("--arms", type=click.IntRange(1), help="How many arms to run each way.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for results.  [default: benchmarks, with --quick build/benchmarks]",
)
def cli(names: tuple[str, ...], quick: bool, out: Path | None, **sizes: int | None) -> None:
    """Measure, and write what was measured after each benchmark."""
    chosen = {name: value for name, value in sizes.items() if value is not None}
    size = replace(QUICK if quick else FULL, **chosen)  # type: ignore[arg-type]
    folder = out or (HERE.parent / "build" / "benchmarks" if quick else HERE)
    for name in names or BENCHMARKS:
        module = importlib.import_module(BENCHMARKS[name])
        click.echo(f"{module.TITLE}:")
        begun, measures = time.monotonic(), []
        for measure in module.run(size):
            measures.append(measure)
            click.echo(f"  {line(measure)}")
        results = load(folder / "results.json")
        results[name] = result(module.TITLE, measures, time.monotonic() - begun)
        write(folder, {name: results[name] for name in BENCHMARKS if name in results})
    click.echo(f"Results are in {folder / 'RESULTS.md'}.")


def line(measure: Measure) -> str:
    """One measure as the terminal shows it."""
    low, high = measure.spread
    met = {None: "", True: "met", False: "MISSED"}[measure.met]
    said = f"{measure.what}: {measure.median:.3g} {measure.unit} ({low:.3g} to {high:.3g})"
    return f"{said} {met}".rstrip()


def write(folder: Path, results: Results) -> None:
    """Write the results, and the page and the plot made from them."""
    store(folder / "results.json", results)
    (folder / "RESULTS.md").write_text(render(results), encoding="utf-8")
    if "site" in results:
        (folder / "site_growth.svg").write_text(svg(results["site"].measures), encoding="utf-8")


if __name__ == "__main__":
    run_command(cli, "python -m benchmarks", "what was finished is written")
