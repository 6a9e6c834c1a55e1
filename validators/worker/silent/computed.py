"""A silent error: a program that compiles without a word, and what it computes then."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.probes.arguments import Arguments
from validators.worker import older_torch
from validators.worker.comparison import compared
from validators.worker.distances import is_wrong
from validators.worker.settings import Setting, holding, known
from validators.worker.target import Target, for_backend
from validators.worker.user_code import module_of, seed, sentence

_VERDICTS = ("right", "raises", "wrong", "eager raises")
"""A verdict tells more than those before it."""

_FAR = 1e-2
"""No rounding takes the results of these small programs so far."""

Report = dict[str, Any]
Run = Callable[..., Any]
Choose = Callable[[ModuleType, Target], Run]
"""Names what compiles, of a program and its target."""


def silent(request: dict[str, Any]) -> Report:
    """What the program of the request computes compiled, beside eager mode.

    "verdict" is "wrong", "right", "raises", or "eager raises", and "says" how far and where.
    "backend" is the first that computes it wrongly, and "instead" what the workaround does: "equal"
    to eager mode's result of the program, "wrong" or "raises".
    """
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    older_torch.complete()
    program = module_of(Path(request["target"].rpartition(":")[0]))
    options: dict[str, Any] = {"backend": "inductor", **getattr(program, "compile", {})}
    with holding(filter(known, _settings(program))):
        outcome = _computed(program, options, _call)
        if outcome["verdict"] == "wrong":
            outcome["backend"] = _first_wrong(program, options)
        if hasattr(program, "instead"):
            verdict = _computed(program, options, _instead)["verdict"]
            outcome["instead"] = "equal" if verdict == "right" else verdict
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
    wrong = next((it for it in report["differences"] if is_wrong(it)), None)
    return f"call {wrong['call'] + 1}: {wrong.get('kind') or wrong['part']}" if wrong else ""


def _as_called(program: ModuleType, options: dict[str, Any], choose: Choose) -> Report:
    """What is far from eager mode's result or arguments, if each run gets `inputs` made anew."""
    torch._dynamo.reset()
    eager, program = target_of(_anew(program)), _anew(program)
    try:
        expected = _made(eager, eager.run)
    except Exception as error:
        return {"verdict": "eager raises", "says": sentence(error)}
    target = target_of(program)
    try:
        made = _made(target, torch.compile(choose(program, target), **options))
    except Exception as error:
        return _raised({"type": type(error).__qualname__, "message": str(error)})
    for number, (one, other) in enumerate(zip(made, expected, strict=True), 1):
        try:
            torch.testing.assert_close(one, other, rtol=_FAR, atol=_FAR, equal_nan=True)
        except AssertionError as error:
            return _verdict(f"call {number}: {str(error).splitlines()[0]}")
    return _verdict("")


def _verdict(said: str) -> Report:
    return {"verdict": "wrong" if said else "right", "says": said}


def _raised(error: dict[str, Any]) -> Report:
    said = " ".join(error["message"].split())[:200]
    return {"verdict": "raises", "says": f"{error['type'].rpartition('.')[2]}: {said}"}


def _anew(program: ModuleType) -> ModuleType:
    return module_of(Path(str(program.__file__)))


def _made(target: Target, run: Run) -> list[list[Any]]:
    """The tensors and numbers of each call's result and arguments."""
    made = []
    for number, item in enumerate(target.calls):
        seed(number)
        leaves = pytree.tree_leaves((run(*item.args), item.args))
        values = (leaf for leaf in leaves if isinstance(leaf, torch.Tensor | int | float | complex))
        made.append([v.detach().clone() if isinstance(v, torch.Tensor) else v for v in values])
    return made


def _first_wrong(program: ModuleType, options: dict[str, Any]) -> str:
    """The first backend that computes the program wrongly: each adds a part of the compiler."""
    if options["backend"] == "inductor":
        for backend in ("eager", "aot_eager"):
            if _computed(program, for_backend(backend, options), _call)["verdict"] == "wrong":
                return backend
    return str(options["backend"])
