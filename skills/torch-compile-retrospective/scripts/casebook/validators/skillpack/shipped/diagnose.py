"""Find what goes wrong when a model is compiled, and name the cases that explain it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from validators.diagnose.explain import Explainer
from validators.diagnose.findings import Diagnosis
from validators.diagnose.run import ABLATION, CUDAGRAPHS, PARTS, QUICK, Plan, diagnosed
from validators.diagnose.spec import parse_spec
from validators.environment import describe
from validators.skillpack.shipped import command

_ABOUT = """Find what goes wrong when a model is compiled, and name the cases that explain it.

TARGET is file.py:function or module:function. The function takes no arguments and returns a model
or function, a list of example calls, and a loss if it trains. Its code is run.

For example: python scripts/diagnose.py model.py:example --quick"""
_STATUS = "0 nothing found, 1 something found, 2 the target cannot be used, 3 a part broke."


def main(arguments: list[str]) -> command.Answer:
    """The diagnosis of the target that the arguments name."""
    made = command.parser("diagnose", _ABOUT, _STATUS)
    made.add_argument("target")
    command.add_environment(made)
    command.add_compile_options(made)
    made.add_argument("--quick", action="store_true", help=f"Only {' and '.join(QUICK)}.")
    made.add_argument("--only", action="append", choices=PARTS, help="Run only this part.")
    given = made.parse_args(arguments)
    spec = parse_spec(given.target, Path.cwd())
    env = describe(given.python, given.device)
    plan = Plan(spec, _parts(given), command.compile_options(given), given.timeout)
    explainer = Explainer(command.knowledge(), env.column, env.fingerprint.torch)
    found = diagnosed(plan, env, explainer, lambda part: command.tell(str(part)))
    broke = any(part.failure for part in found.parts)
    return _told(found, given.full), 3 if broke else int(bool(found.findings))


def _parts(given: Any) -> list[str]:
    without = {ABLATION, *([] if given.device == "cuda" else [CUDAGRAPHS])}
    chosen = given.only or (QUICK if given.quick else PARTS)
    return [it for it in PARTS if it in chosen and it not in without]


def _told(found: Diagnosis, full: bool) -> dict[str, Any]:
    """The diagnosis; unless `full` without what the parts measured and the excerpts of files."""
    plain = asdict(found)
    if full:
        return plain
    plain["parts"] = [{"name": it.name, "failure": it.failure} for it in found.parts]
    for finding in plain["findings"]:
        del finding["excerpt"]
        finding["stack"] = finding["stack"][:3]
        finding["text"] = finding["text"][:400]
    return command.within(plain, ["findings", "beliefs"], full=False)
