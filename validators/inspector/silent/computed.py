"""A silent error: a program that compiles without a word, and what it computes then."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from validators.inspector.differences.chains import chain_name
from validators.inspector.differences.comparison import compared
from validators.inspector.differences.window import Window, caused, smallest
from validators.inspector.loading import as_called
from validators.inspector.loading.settings import Setting, holding, known
from validators.inspector.loading.target import Target, for_backend
from validators.inspector.silent.cost import cost_of
from validators.inspector.values.distances import first_wrong
from validators.probes.arguments import Arguments
from validators.worker import older_torch
from validators.worker.user_code import module_of, seed, sentence

_VERDICTS = ("right", "raises", "wrong", "eager raises")
"""A verdict tells more than those before it."""

Report = dict[str, Any]
Run = Callable[..., Any]
Choose = Callable[[ModuleType, Target], Run]
"""Names what compiles, of a program and its target."""


def silent(request: dict[str, Any]) -> Report:
    """What the program of the request computes compiled, beside eager mode.

    "verdict" is "wrong", "right", "raises", or "eager raises", and "says" how far and where.
    "backend" is the first that computes it wrongly, "ops" the shortest run of ops of its graphs
    that is wrong if only they are compiled, and "instead" what the workaround does: "equal" to
    eager mode's result of the program, "wrong" or "raises". "costs" are those of the program and
    of the workaround that is equal where the program is wrong.
    """
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    older_torch.complete()
    program = module_of(Path(request["target"].rpartition(":")[0]))
    options: dict[str, Any] = {"backend": "inductor", **getattr(program, "compile", {})}
    with holding(filter(known, _settings(program))):
        outcome = _computed(program, options, _call)
        if outcome["verdict"] == "wrong":
            outcome["backend"] = _first_wrong(program, options)
            outcome["ops"] = _wrong_ops(program, outcome["backend"], options)
        if hasattr(program, "instead"):
            verdict = _computed(program, options, _instead)["verdict"]
            outcome["instead"] = "equal" if verdict == "right" else verdict
            if (outcome["verdict"], verdict) == ("wrong", "right"):
                costs = [_cost(program, options, it) for it in (_call, _instead)]
                outcome["costs"] = costs if any(map(any, costs)) else []
    return outcome


def _settings(program: ModuleType) -> list[Setting]:
    """The settings of torch that the program needs, each by its whole name."""
    named = getattr(program, "settings", {})
    return [(*name.rsplit(".", 1), value) for name, value in named.items()]


def target_of(program: ModuleType) -> Target:
    """The program as a target: `call`, made anew if it is a class, and its `inputs`.

    The program is loaded once more for another target: what it keeps is of one run.
    """
    seed(0)
    run = program.call() if isinstance(program.call, type) else program.call
    given = program.inputs()
    calls = tuple(map(Arguments, given if isinstance(given, list) else [given]))
    model = run if isinstance(run, torch.nn.Module) else None
    again = Path(str(program.__file__))
    return Target(run, model, calls, trains=False, again=lambda: target_of(module_of(again)))


def _call(_: ModuleType, target: Target) -> Run:
    run: Run = target.run
    return run


def _instead(program: ModuleType, target: Target) -> Run:
    instead = program.instead
    run: Run = instead() if isinstance(instead, type) else instead
    if isinstance(run, torch.nn.Module) and target.model is not None:
        # The parameters are shared: those of the target get the gradients.
        run.load_state_dict(target.model.state_dict(keep_vars=True), assign=True)
    return run


def _computed(program: ModuleType, options: dict[str, Any], choose: Choose) -> Report:
    """What is computed compiled, of what `choose` names, beside `call` in eager mode."""
    copied = _as_copied(program, options, choose)
    if copied["verdict"] == "wrong":
        return copied
    called = _as_called(program, options, choose)
    return max(called, copied, key=lambda outcome: _VERDICTS.index(outcome["verdict"]))


def _as_copied(program: ModuleType, options: dict[str, Any], choose: Choose) -> Report:
    """What rounding does not explain, gradients included, if each run gets copies of the arguments.

    An object is not its copy: where that changes what is not compiled, nothing is found.
    """

    def through(build: Run) -> Report:
        one = _anew(program)
        return compared(target_of(one), lambda target: build(choose(one, target)), gradients=True)

    try:
        if _difference(through(lambda run: run)):
            return _verdict("")
    except Exception:
        return _verdict("")
    report = through(partial(torch.compile, **options))
    return _raised(report["raised"]) if report["raised"] else _verdict(_difference(report))


def _difference(report: Report) -> str:
    """The first call that rounding does not explain, and what of it differs; "" if none."""
    wrong = first_wrong(report["differences"])
    return f"call {wrong['call'] + 1}: {wrong['part']}" if wrong else ""


def _as_called(program: ModuleType, options: dict[str, Any], choose: Choose) -> Report:
    """What is far from eager mode's result or arguments, if each run gets `inputs` made anew."""
    torch._dynamo.reset()
    eager, program = target_of(_anew(program)), _anew(program)
    try:
        expected = as_called.computed(eager, eager.run)
    except Exception as error:
        return {"verdict": "eager raises", "says": sentence(error)}
    target = target_of(program)
    try:
        made = as_called.computed(target, torch.compile(choose(program, target), **options))
    except Exception as error:
        return _raised({"type": type(error).__qualname__, "message": str(error)})
    differs = as_called.difference(made, expected)
    return _verdict(f"call {differs['call'] + 1}: {differs['says']}" if differs else "")


def _cost(program: ModuleType, options: dict[str, Any], choose: Choose) -> list[int]:
    """What the compiled code of `choose` costs; where arguments cannot be copied, its forward."""
    copied = cost_of(lambda: _as_copied(program, options, choose))
    return copied if any(copied) else cost_of(lambda: _as_called(program, options, choose))


def _verdict(said: str) -> Report:
    return {"verdict": "wrong" if said else "right", "says": said}


def _raised(error: dict[str, Any]) -> Report:
    said = " ".join(error["message"].split())[:200]
    return {"verdict": "raises", "says": f"{error['type'].rpartition('.')[2]}: {said}"}


def _anew(program: ModuleType) -> ModuleType:
    return module_of(Path(str(program.__file__)))


def _wrong_ops(program: ModuleType, backend: str, options: dict[str, Any]) -> list[str]:
    """The ops, by their names in chains; all, if no part of them is wrong by itself."""
    if backend not in ("aot_eager", "inductor"):
        return []

    def wrong(window: Window) -> bool:
        verdict: str = _computed(program, for_backend(window, options), _call)["verdict"]
        return verdict == "wrong"

    def alone(first: int, last: int) -> bool:
        return bool(caused(wrong, Window(backend, [(first, last)])))

    traced = Window(backend)
    target = target_of(_anew(program))
    as_called.computed(target, torch.compile(target.run, **for_backend(traced, options)))
    count = len(traced.ops)
    first, last = smallest(count, alone) or (0, count)
    return [chain_name(called) for called, _ in traced.ops[first:last]]


def _first_wrong(program: ModuleType, options: dict[str, Any]) -> str:
    """The first backend that computes the program wrongly: each adds a part of the compiler."""
    if options["backend"] == "inductor":
        for backend in ("eager", "aot_eager"):
            if _computed(program, for_backend(backend, options), _call)["verdict"] == "wrong":
                return backend
    return str(options["backend"])
