"""`diagnose`: what `torch.compile` does to a user's model, and the cases that explain it."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import click

from validators.catalog import load_catalog
from validators.cli.model.parts import Wanted, part_options
from validators.cli.model.recordings import (
    Given,
    beside,
    is_recorded,
    recorded_diagnosis,
    trace_folder,
)
from validators.cli.output import json_text, print_json
from validators.cli.places import Places, catalog_option, json_option, target_options
from validators.cli.progress import Progress
from validators.compiled.diagnosed import PART as KERNELS
from validators.compiled.diagnosed import with_kernels
from validators.compiled.run import Order
from validators.diagnose.compare.files import read_report
from validators.diagnose.compare.reports import compare_diagnoses
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.comparison import THRESHOLD
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.masking.mask import masked
from validators.diagnose.report.html import page
from validators.diagnose.report.render import markdown, terminal_lines
from validators.diagnose.report.sarif import sarif
from validators.diagnose.run import Plan, diagnosed
from validators.diagnose.target.spec import parse_spec
from validators.environment import Environment, describe
from validators.environment.any_device import environment_on
from validators.errors import CasebookError, printable
from validators.files import PROGRAM
from validators.knowing.knowledge import knowledge_of
from validators.pretended.boards import BOARDS
from validators.repository import Repository
from validators.silent.collection import load_known
from validators.silent.telling import with_known_errors

_RECORDING = "reduce-overhead"
"""The mode that tells why CUDA graphs are skipped, unless another one is asked for."""


@click.command("diagnose")
@click.argument("target", nargs=-1, required=True, type=click.UNPROCESSED)
@target_options
@part_options
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="A folder for the reports."
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="JSON",
    help="An older report.json; say what changed since.",
)
@click.option("--site", metavar="URL", help="A built site, whose pages report.html links to.")
@click.option("--torch", "release", default="", help="The release that a recording is of.")
@click.option(
    "--arch",
    type=click.Choice(list(BOARDS)),
    help="Also compile for this GPU, which need not be there; --python needs a CUDA build.",
)
@catalog_option
@json_option
@click.pass_context
def diagnose_command(
    context: click.Context,
    places: Places,
    target: tuple[str, ...],
    python: str,
    device: str,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    wanted: Wanted,
    out: Path | None,
    against: Path | None,
    site: str | None,
    release: str,
    arch: str | None,
    as_json: bool,
) -> int:
    """Find what goes wrong when a model is compiled, and name the cases that explain it.

    TARGET is module:function, file.py:function or a reference model (gpt, toto, toto-original,
    vlm, vlm-original). The function takes no arguments and returns a model or function, a list of
    example calls, and a loss if it trains.

    Or TARGET is a command after --, which is run as it is and watched; or a folder or file that
    TORCH_TRACE wrote; or a log.

    For example: python -m validators diagnose model.py:example --out diagnosis

    For example: python -m validators diagnose --out diagnosis -- python train.py --epochs 1

    For example: python -m validators diagnose compile.log

    For example: python -m validators diagnose model.py:example --arch sm_90 --python P

    Exit status: 0 nothing found, 1 something found, 2 the target cannot be used, 3 a part broke or
    the command failed.
    """
    old = read_report(against) if against else None
    folder = ""
    if is_recorded(target):
        if arch:
            raise CasebookError("--arch: a recording cannot be compiled; name a model")
        recording = Given(places, release, timeout, out, as_json)
        diagnosis = recorded_diagnosis(context, target, recording)
    else:
        spec = parse_spec(target[0], Path.cwd())
        folder = masked(str(spec.file.resolve().parent), spec.folder) if spec.file else ""
        env = describe(python, device)
        plan = wanted.plan(spec, {"mode": mode, "dynamic": dynamic}, timeout, device)
        plan = replace(plan, trace=str(trace_folder(out)) if out else "")
        diagnosis = _of_model(places, plan, env, arch)
    diagnosis.command = _command()
    if old is not None:
        diagnosis.against = compare_diagnoses(old, diagnosis, THRESHOLD / 100)
    if out is not None:
        _write(out, diagnosis, site, folder, places)
    if as_json:
        print_json(diagnosis)
    else:
        for line in terminal_lines(diagnosis):
            click.echo(printable(line))
    if out is not None:
        for line in (
            f"Reports: {out}/report.html, report.md, report.json, report.sarif",
            *beside(target, out),
        ):
            click.echo(printable(line), err=as_json)
    if any(part.failure for part in diagnosis.parts):
        return 3
    return int(bool(diagnosis.findings))


def _of_model(places: Places, plan: Plan, env: Environment, arch: str | None) -> Diagnosis:
    """The diagnosis of a model, with what it is compiled to for `arch`, if one is named."""
    pretended = environment_on(env.python, arch) if arch else None
    knowledge = knowledge_of(Repository(places.catalog, [places.local]))
    explainer = Explainer(knowledge, env.column, env.fingerprint.torch)
    known = load_known(places.playbooks)
    with Progress(plan.timeout) as progress:
        diagnosis = diagnosed(plan, env, explainer, progress.ended, progress.begun)
        if pretended:
            progress.begun(KERNELS)
            order = Order({"mode": _RECORDING, **plan.options}, plan.timeout)
            diagnosis = with_kernels(
                diagnosis, plan.spec, order, pretended, explainer, progress.ended
            )
    return with_known_errors(diagnosis, known)


def _command() -> str:
    """The command line of this process, without private words."""
    said: str = masked(f"{PROGRAM} {shlex.join(sys.argv[1:])}", Path.cwd())
    return said


def _write(out: Path, diagnosis: Diagnosis, site: str | None, folder: str, places: Places) -> None:
    """Write the reports to `out`; `folder` is that of the target's file."""
    out.mkdir(parents=True, exist_ok=True)
    texts = {
        "report.html": page(diagnosis, site, load_catalog(places.catalog).by_name),
        "report.md": markdown(diagnosis),
        "report.json": f"{json_text(diagnosis)}\n",
        "report.sarif": f"{json.dumps(sarif(diagnosis, folder), indent=2)}\n",
    }
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
