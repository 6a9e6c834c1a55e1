"""Find what goes wrong when a model is compiled, and name the cases that explain it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.run import ABLATION, CUDAGRAPHS, PARTS, QUICK, Plan, diagnosed
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.silent.telling import with_known_errors
from validators.skillpack.shipped.answer import (
    Answer,
    add_compile_options,
    add_environment,
    compile_options,
    knowledge,
    silent_errors,
    tell,
    within,
)

ABOUT = """Find what goes wrong when a model is compiled, and name the cases that explain it.

TARGET is file.py:function or module:function. The function takes no arguments and returns a model
or function, a list of example calls, and a loss if it trains. Its code is run.

For example: casebook diagnose model.py:example --quick"""
STATUS = "0 nothing found, 1 something found, 2 the target cannot be used, 3 a part broke."


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the verb's own options."""
    verb.add_argument("target")
    add_environment(verb)
    add_compile_options(verb)
    verb.add_argument("--quick", action="store_true", help=f"Only {' and '.join(QUICK)}.")
    verb.add_argument("--only", action="append", choices=PARTS, help="Run only this part.")


def answer(given: argparse.Namespace) -> Answer:
    """The diagnosis of the target that the options name."""
    spec = parse_spec(given.target, Path.cwd())
    env = describe(given.python, given.device)
    plan = Plan(spec, _parts(given), compile_options(given), given.timeout, locate=True)
    explainer = Explainer(knowledge(), env.column, env.fingerprint.torch)
    diagnosis = diagnosed(plan, env, explainer, lambda part: tell(str(part)))
    diagnosis = with_known_errors(diagnosis, silent_errors())
    broke = any(part.failure for part in diagnosis.parts)
    return _shown(diagnosis, given), 3 if broke else int(bool(diagnosis.findings))


def _parts(given: argparse.Namespace) -> list[str]:
    without = {ABLATION, *([] if given.device == "cuda" else [CUDAGRAPHS])}
    chosen = given.only or (QUICK if given.quick else PARTS)
    return [part for part in PARTS if part in chosen and part not in without]


def _shown(diagnosis: Diagnosis, given: argparse.Namespace) -> dict[str, Any]:
    """The diagnosis, short unless --full asks for all.

    What the parts measured is shown where --only names them.
    """
    plain = asdict(diagnosis)
    if given.full:
        return plain
    if not given.only:
        plain["parts"] = [{"name": it.name, "failure": it.failure} for it in diagnosis.parts]
    for finding in plain["findings"]:
        del finding["excerpt"]
        finding["stack"] = finding["stack"][:3]
        finding["text"] = finding["text"][:400]
    return within(plain, ["findings", "beliefs"], full=False)
