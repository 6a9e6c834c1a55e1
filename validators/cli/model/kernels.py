"""`kernels`: what a model is compiled to for a GPU that the machine need not have."""

from __future__ import annotations

from pathlib import Path

import click

from validators.cli.output import print_json
from validators.cli.places import compile_options, compiled_options, json_option
from validators.cli.screen import pager_option, print_lines
from validators.compiled.compare import changes
from validators.compiled.render import differences, lines
from validators.compiled.results import KernelsOutput
from validators.compiled.run import Order, compiled_for
from validators.diagnose.target.spec import parse_spec
from validators.environment.any_device import environment_on
from validators.pretended.boards import BOARDS
from validators.styled import Line


@click.command("kernels")
@click.argument("target")
@click.option(
    "--arch",
    type=click.Choice(list(BOARDS)),
    default="sm_90",
    show_default=True,
    help="The GPU's architecture: A100, H100 or B200.",
)
@compiled_options
@click.option("--against", metavar="OTHER", help="A second target; say what differs.")
@click.option("--source", is_flag=True, help="Print the code of each kernel.")
@pager_option
@json_option
def kernels_command(
    target: str,
    arch: str,
    python: str,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    against: str | None,
    source: bool,
    pager: bool,
    as_json: bool,
) -> int:
    """Show what a model is compiled to for a GPU that this machine need not have.

    TARGET is as for `diagnose`. The real Dynamo, AOTAutograd, Inductor and Triton compile it, up to
    the GPU's machine code: kernels with their registers, spills and shared memory, library calls,
    planned memory, and torch's reasons to skip CUDA graphs. Nothing runs. What only a GPU decides,
    such as a choice by the clock, is said to be undecided.

    --python names an interpreter with a CUDA build of torch.

    For example: python -m validators kernels model.py:example --arch sm_90 --python cuda/bin/python

    Exit status: 0 all of it is decided, 1 something is undecided, 2 it cannot be compiled.
    """
    specs = [parse_spec(it, Path.cwd()) for it in (target, against) if it is not None]
    options = compile_options(mode=mode, dynamic=dynamic)
    found = compiled_for(Order(options, timeout), environment_on(python, arch), specs)
    output = KernelsOutput(target=found[0])
    if against is not None:
        output.against, output.changes = found[1], list(changes(found[0], found[1]))
    if as_json:
        print_json(output)
    else:
        print_lines(_lines(output, source), pager)
    return int(any(it.undecided for it in found))


def _lines(output: KernelsOutput, source: bool) -> list[Line]:
    told = list(lines(output.target, source))
    if other := output.against:
        told += [[], *lines(other, source), []]
        told += differences(output.target.target, other.target, output.changes)
    return told
