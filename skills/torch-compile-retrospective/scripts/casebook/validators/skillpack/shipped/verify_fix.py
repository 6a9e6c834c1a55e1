"""Say whether a change of a model fixes it, and computes the same."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from validators.diagnose.spec import parse_spec
from validators.diagnose.verify import Fix, verified
from validators.environment import describe
from validators.skillpack.shipped import command

_ABOUT = """Say whether AFTER compiles better than BEFORE, and computes the same.

Both are targets as for diagnose.py. AFTER gets the parameters and the calls of BEFORE, and more
calls that follow from them. It runs compiled; BEFORE runs eagerly. `named` decides nothing.

For example: python scripts/verify_fix.py before.py:example after.py:example"""
_STATUS = "0 the fix is verified, 1 it is refused, 2 a target cannot be used."


def main(arguments: list[str]) -> command.Answer:
    """Whether the fix that the arguments name holds."""
    made = command.parser("verify_fix", _ABOUT, _STATUS)
    made.add_argument("before")
    made.add_argument("after")
    command.add_environment(made)
    command.add_compile_options(made)
    made.add_argument("--quick", action="store_true", help="do not time warm calls")
    given = made.parse_args(arguments)
    before, after = (parse_spec(it, Path.cwd()) for it in (given.before, given.after))
    fix = Fix(before, after, command.compile_options(given), given.timeout, given.quick)
    found = verified(fix, describe(given.python, given.device))
    verdict = "refused" if found.refused else "verified"
    told = {"verdict": verdict, **asdict(found)}
    return command.within(told, ["better", "refused", "named"], given.full), int(
        bool(found.refused)
    )
