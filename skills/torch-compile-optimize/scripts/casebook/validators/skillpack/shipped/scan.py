"""Find compiled code that is wrong and says nothing."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.silent.scan import scanned
from validators.skillpack.shipped.answer import (
    Answer,
    add_compile_options,
    add_environment,
    compile_options,
    silent_errors,
    within,
)

ABOUT = """Find silent errors in a model: compiled code that is wrong, and says nothing.

TARGET is as for diagnose. What differs from eager mode by more than rounding is shortened to the
fewest ops that are wrong where only they are compiled. Known errors are named, with a workaround.

For example: casebook scan model.py:example"""
STATUS = "0 nothing is wrong, 1 something is wrong or undecided, 2 the target cannot be used."


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the verb's own options."""
    verb.add_argument("target")
    add_environment(verb)
    add_compile_options(verb)


def answer(given: argparse.Namespace) -> Answer:
    """What is silently wrong in the target that the options name."""
    spec = parse_spec(given.target, Path.cwd())
    env = describe(given.python, given.device)
    scan = scanned(env, compile_options(given), given.timeout, spec, silent_errors())
    return within(asdict(scan), ["wrong"], given.full), int(bool(scan.wrong or scan.undecided))
