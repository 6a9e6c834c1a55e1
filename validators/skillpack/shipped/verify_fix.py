"""Say whether a change of a model fixes it, and computes the same."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from validators.diagnose.fix.verify import Fix, verified
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.skillpack.shipped.answer import (
    Answer,
    add_compile_options,
    add_environment,
    compile_options,
    within,
)

ABOUT = """Say whether AFTER compiles better than BEFORE, and computes the same.

Both are targets as for diagnose. AFTER gets the parameters and the calls of BEFORE, and more
calls that follow from them. It runs compiled; BEFORE runs eagerly. `named` decides nothing.

For example: casebook verify-fix before.py:example after.py:example"""
STATUS = "0 the fix is verified, 1 it is refused, 2 a target cannot be used."


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the verb's own options."""
    verb.add_argument("before")
    verb.add_argument("after")
    add_environment(verb)
    add_compile_options(verb)
    verb.add_argument("--quick", action="store_true", help="do not time warm calls")


def answer(given: argparse.Namespace) -> Answer:
    """Whether the fix that the options name holds."""
    before, after = (parse_spec(text, Path.cwd()) for text in (given.before, given.after))
    fix = Fix(before, after, compile_options(given), given.timeout, given.quick)
    result = verified(fix, describe(given.python, given.device))
    verdict = "refused" if result.refused else "verified"
    told = {"verdict": verdict, **asdict(result)}
    shown = within(told, ["better", "refused", "named"], given.full)
    return shown, int(bool(result.refused))
