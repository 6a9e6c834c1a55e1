"""A silent error: a program that compiles without a word, and what it computes then."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from validators.probes.arguments import Arguments
from validators.worker import older_torch
from validators.worker.comparison import compared
from validators.worker.distances import is_wrong
from validators.worker.settings import Setting, holding, known
from validators.worker.target import Target, for_backend
from validators.worker.user_code import module_of, seed, sentence

BACKENDS = ("eager", "aot_eager", "inductor")
"""Each adds a part of the compiler: Dynamo, AOTAutograd, Inductor."""

Found = dict[str, Any]


def silent(request: dict[str, Any]) -> Found:
    """What the program of the request computes compiled, beside eager mode.

    "verdict" is "wrong", "right", "raises", or "eager raises", and "says" how far and where.
    "backend" is the first that computes it wrongly, and "instead" what the workaround does: "equal"
    to eager mode's result of the program, "wrong" or "raises".
    """
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    older_torch.complete()
    program = module_of(Path(request["target"].rpartition(":")[0]))
    options: Found = {"backend": "inductor", **getattr(program, "compile", {})}
    with holding(it for it in _settings(program) if known(it)):
        found = _computed(program, options, _call)
        if found["verdict"] == "wrong":
            found["backend"] = _first_wrong(program, options)
        if hasattr(program, "instead"):
            found["instead"] = _word(_computed(program, options, _instead(program))["verdict"])
    return found


def _settings(program: ModuleType) -> list[Setting]:
    """The settings of torch that the program needs, each by its whole name."""
    named = getattr(program, "settings", {})
    return [(*name.rsplit(".", 1), value) for name, value in named.items()]


def target_of(program: ModuleType) -> Target:
    """The program as a target: `call`, made anew if it is a class, and its `inputs`."""
    seed(0)
    run = program.call() if isinstance(program.call, type) else program.call
    given = program.inputs()
    calls = tuple(map(Arguments, given if isinstance(given, list) else [given]))
    model = run if isinstance(run, torch.nn.Module) else None
    return Target(run, model, calls, trains=False, again=lambda: target_of(program))


def _call(target: Target) -> Callable[..., Any]:
    run: Callable[..., Any] = target.run
    return run


def _instead(program: ModuleType) -> Callable[[Target], Callable[..., Any]]:
    def made(target: Target) -> Callable[..., Any]:
        instead = program.instead
        run: Callable[..., Any] = instead() if isinstance(instead, type) else instead
        if isinstance(run, torch.nn.Module) and target.model is not None:
            run.load_state_dict(target.model.state_dict())
        return run

    return made


def _computed(
    program: ModuleType, options: Found, choose: Callable[[Target], Callable[..., Any]]
) -> Found:
    """What is computed compiled, of what `choose` names, beside `call` in eager mode."""
    try:
        target = target_of(program)
        found = compared(target, lambda it: torch.compile(choose(it), **options), gradients=True)
    except Exception as error:
        return {"verdict": "eager raises", "says": sentence(error)}
    if raised := found["raised"]:
        said = " ".join(raised["message"].split())[:200]
        return {"verdict": "raises", "says": f"{raised['type'].rpartition('.')[2]}: {said}"}
    wrong = [it for it in found["differences"] if is_wrong(it)]
    if not wrong:
        return {"verdict": "right", "says": ""}
    return {"verdict": "wrong", "says": f"call {wrong[0]['call'] + 1}: {wrong[0].get('part', '')}"}


def _first_wrong(program: ModuleType, options: Found) -> str:
    """The first backend that computes it wrongly."""
    for backend in BACKENDS[: BACKENDS.index("inductor")]:
        if options["backend"] != "inductor":
            break
        if _computed(program, for_backend(backend, options), _call)["verdict"] == "wrong":
            return backend
    return str(options["backend"])


def _word(verdict: str) -> str:
    return {"right": "equal"}.get(verdict, verdict)
