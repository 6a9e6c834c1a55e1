"""Run a model: what breaks, and whether its repaired form is a fix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from validators.corpus.models import Model
from validators.corpus.records.record import ModelRecord, steady
from validators.diagnose.findings.finding import Verification
from validators.diagnose.findings.words import place_of
from validators.diagnose.fix.verify import compared, referred
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, ask_all
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.runner.processes.outcome import Outcome

PART = "breaks"
BACKEND = "aot_eager"
"""What a repaired form is verified with: a repair is about what comes before Inductor."""


def run_model(
    model: Model, root: Path, env: Environment, packages: dict[str, str], timeout: float
) -> ModelRecord:
    """What happens to a model in the interpreter `env`; each part may take `timeout` seconds.

    Raises:
        CasebookError: a part gives no result.
    """
    spec = _spec(model, root, "example")
    others = [it for it in ("fixed", "patched") if it in model.functions]

    async def run(asking: Asking) -> tuple[Outcome, dict[str, Verification]]:
        done = await asking.ask(spec, PART)
        if done.failure or not others:
            return done, {}
        reference = await referred(asking, spec)
        specs = {it: _spec(model, root, it) for it in others}
        return done, {it: await compared(asking, reference, specs[it]) for it in others}

    done, judged = ask_all(env, {"backend": BACKEND}, timeout, run)
    if done.failure:
        raise CasebookError(masked(f"{spec}: {done.failure}", root))
    found = steady(masked(_with_code(done.result), root))
    return ModelRecord(
        model=model.name,
        column=env.column,
        torch=env.fingerprint.torch,
        python=env.fingerprint.python,
        packages=packages,
        digest=model.digest,
        calls=found.pop("calls"),
        trains=found.pop("trains"),
        breaks=found,
        fix=judged.get("fixed"),
        patched=judged.get("patched"),
    )


def _spec(model: Model, root: Path, factory: str) -> Spec:
    return Spec(str(model.file), factory, root, (), model.file)


def _with_code(found: Any) -> Any:
    """What a part found, with the text of the line beside each place: other machines lack it."""
    if isinstance(found, list):
        return [_with_code(it) for it in found]
    if not isinstance(found, dict):
        return found
    told = {key: _with_code(it) for key, it in found.items()}
    if "file" in found and "line" in found:
        told["code"] = place_of(found["file"], found["line"]).code
    return told
