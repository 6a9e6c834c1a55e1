"""`verify-fix`: whether a change of a model fixes it, and computes the same."""

from __future__ import annotations

from pathlib import Path

import click

from validators.cli.output import print_json
from validators.cli.places import compile_options, json_option, target_options
from validators.cli.progress import Progress
from validators.diagnose.fix.verify import Fix, verified
from validators.diagnose.report.render import verification_lines
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.errors import printable


@click.command("verify-fix")
@click.argument("before")
@click.argument("after")
@target_options
@click.option("--backend", help="The backend; inductor if none is given.")
@click.option("--quick", is_flag=True, help="Leave the timing out.")
@json_option
def verify_fix_command(
    before: str,
    after: str,
    python: str,
    device: str,
    mode: str | None,
    dynamic: bool | None,
    timeout: float,
    backend: str | None,
    quick: bool,
    as_json: bool,
) -> int:
    """Say whether AFTER compiles better than BEFORE, and computes the same.

    Both are targets as for `diagnose`. AFTER gets the parameters and the calls of BEFORE, and more
    calls that follow from them: other values, other sizes of what varies, other dtypes and strides,
    parameters changed in place, the other mode of the model. AFTER runs compiled, its own calls
    without compiling as well; BEFORE runs eagerly. Outputs with their structure, changed arguments,
    gradients, buffers and trained weights must agree, each on its own scale. Notes name what
    decides nothing. At last, warm compiled calls of both are timed by turns.

    For example: python -m validators verify-fix model.py:example fixed.py:example

    Exit status: 0 the fix is verified, 1 it is refused, 2 a target cannot be used.
    """
    here = Path.cwd()
    given = compile_options(backend=backend, mode=mode, dynamic=dynamic)
    fix = Fix(parse_spec(before, here), parse_spec(after, here), given, timeout, quick)
    with Progress(timeout) as progress:
        found = verified(fix, describe(python, device), progress)
    if as_json:
        print_json(found)
    else:
        for line in verification_lines(found):
            click.echo(printable(line))
    return int(bool(found.refused))
