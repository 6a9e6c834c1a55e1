"""How far compiled calls are from eager's, and eager's from itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.probes.arguments import Arguments
from validators.probes.differences import distance
from validators.probes.results import _magnitude
from validators.probes.switches import force_eager
from validators.worker.replay import SEED, same_random_numbers
from validators.worker.target import Target, compiled, copy_of
from validators.worker.user_code import seed


def results(target: Target, options: dict[str, Any]) -> dict[str, Any]:
    """How far the compiled calls are from eager's, eager's from itself, and both from float64's.

    All runs start from the same parameters, and each call from the same random numbers. Distances
    are relative to the largest magnitude of what eager computes, if that exceeds 1.
    """
    options = {"backend": "inductor", **options}
    same_random_numbers()
    references = [_twin(target), _twin(target)]
    exact = _in_double(_twin(target)) if target.model is not None and not target.trains else None
    torch._dynamo.reset()
    run = compiled(target.run, options)
    found: list[dict[str, Any]] = []
    for number, item in enumerate(target.calls):
        with force_eager():
            eager, again = [_answer(it, it.run, item) for it in references]
        try:
            answer = _answer(target, run, item)
        except Exception as error:
            kind = type(error)
            caught = {"type": f"{kind.__module__}.{kind.__qualname__}", "message": str(error)}
            return {"differences": found, "raised": {**caught, "call": number, "break_id": ""}}
        found.append({"eager": _distance(answer, eager), "noise": _distance(again, eager)})
        if exact is not None and (double := _double_answer(exact, item)) is not None:
            found[-1]["compiled_float64"] = _distance(answer, double)
            found[-1]["eager_float64"] = _distance(eager, double)
    return {"differences": found, "raised": None}


def _twin(target: Target) -> Target:
    """The target made once more, with the same parameters."""
    twin = target.again()
    if twin.model is not None and target.model is not None:
        twin.model.load_state_dict(target.model.state_dict())
    return twin


def _answer(target: Target, run: Callable[..., Any], given: Arguments) -> list[torch.Tensor]:
    """The tensors and numbers that a call computes; a training step's gradients among them."""
    seed(SEED)
    item = copy_of(given)
    values = pytree.tree_leaves(run(*item.args, **item.kwargs))
    if target.trains and target.model is not None:
        values += [it.grad for it in target.model.parameters() if it.grad is not None]
    kept = [it for it in values if isinstance(it, (torch.Tensor, bool, int, float))]
    return [torch.as_tensor(it).detach().clone() for it in kept]


def _in_double(target: Target) -> Target:
    assert target.model is not None
    target.model.double()
    return target


def _double_answer(target: Target, item: Arguments) -> list[torch.Tensor] | None:
    """The answer in float64; None if the code names another dtype."""

    def double(value: Any) -> Any:
        floats = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.double() if floats else value

    args, kwargs = pytree.tree_map(double, (item.args, item.kwargs))
    try:
        with force_eager():
            return _answer(target, target.run, Arguments(args, kwargs))
    except RuntimeError:
        return None


def _distance(one: list[torch.Tensor], other: list[torch.Tensor]) -> float | None:
    """The largest distance of two answers; None if they cannot be subtracted."""
    if [it.shape for it in one] != [it.shape for it in other]:
        return None
    gaps = [
        distance(a, b, kind=False) / max(1.0, _magnitude(b))
        for a, b in zip(one, other, strict=True)
    ]
    return max(gaps, default=0.0)
