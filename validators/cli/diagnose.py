"""`diagnose`: what `torch.compile` does to a user's model, and the cases that explain it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from validators.cli.output import json_text, print_json
from validators.cli.places import Places, catalog_option, json_option, target_options
from validators.diagnose.explain import Explainer
from validators.diagnose.findings import Diagnosis, Part
from validators.diagnose.render import markdown, terminal_lines
from validators.diagnose.run import PARTS, Plan, diagnosed
from validators.diagnose.sarif import sarif
from validators.diagnose.spec import parse_spec
from validators.environment import describe
from validators.errors import printable
from validators.repository import Repository

QUICK = ("static", "breaks")


@click.command("diagnose")
@click.argument("target")
@target_options
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="Run only this part.")
@click.option("--skip", multiple=True, type=click.Choice(PARTS), help="Leave this part out.")
@click.option("--quick", is_flag=True, help=f"Only {' and '.join(QUICK)}.")
@click.option("--backend", help="The backend, instead of each part's own.")
@click.option("--fullgraph", is_flag=True, help="`fullgraph` of torch.compile.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="A folder for the reports."
)
@catalog_option
@json_option
def diagnose_command(
    places: Places,
    target: str,
    python: str,
    device: str,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    quick: bool,
    backend: str | None,
    mode: str | None,
    dynamic: bool | None,
    fullgraph: bool,
    timeout: float,
    out: Path | None,
    as_json: bool,
) -> int:
    """Find what goes wrong when a model is compiled, and name the cases that explain it.

    TARGET is module:function, file.py:function or a reference model (gpt, toto, toto-original,
    vlm, vlm-original). The function takes no arguments and returns a model or function, a list of
    example calls, and a loss if it trains.

    For example: python -m validators diagnose model.py:example --out diagnosis

    Exit status: 0 nothing found, 1 something found, 2 the target cannot be used, 3 a part broke.
    """
    spec = parse_spec(target, Path.cwd())
    env = describe(python, device)
    chosen = only or (QUICK if quick else PARTS)
    given = {"backend": backend, "mode": mode, "dynamic": dynamic, "fullgraph": fullgraph or None}
    options = {name: value for name, value in given.items() if value is not None}
    plan = Plan(spec, [it for it in PARTS if it in chosen and it not in skip], options, timeout)
    repository = Repository(places.catalog, [places.local])
    explainer = Explainer(repository, env.column, env.fingerprint.torch)
    diagnosis = diagnosed(plan, env, explainer, _tell)
    if out is not None:
        _write(out, diagnosis)
    if as_json:
        print_json(diagnosis)
    else:
        for line in terminal_lines(diagnosis):
            click.echo(printable(line))
        if out is not None:
            click.echo(f"Reports: {out}/report.md, report.json, report.sarif")
    if any(part.failure for part in diagnosis.parts):
        return 3
    return int(bool(diagnosis.findings))


def _tell(part: Part) -> None:
    ended = f"failed: {part.failure}" if part.failure else f"{part.seconds:.1f} s"
    click.echo(printable(f"{part.name}: {ended}"), err=True)


def _write(folder: Path, diagnosis: Diagnosis) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(markdown(diagnosis), encoding="utf-8")
    (folder / "report.json").write_text(f"{json_text(diagnosis)}\n", encoding="utf-8")
    text = json.dumps(sarif(diagnosis), indent=2)
    (folder / "report.sarif").write_text(f"{text}\n", encoding="utf-8")
