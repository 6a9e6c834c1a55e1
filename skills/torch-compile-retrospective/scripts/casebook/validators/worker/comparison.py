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
from validators.worker.measuring import FirstCall
from validators.worker.replay import SEED, same_random_numbers
from validators.worker.target import Target, copy_of
from validators.worker.user_code import seed

Found = dict[str, Any]


def compared(
    target: Target,
    compile: Callable[[Target], Callable[..., Any]],
    wanted: Callable[[int, Found], bool] = lambda *_: True,
) -> Found:
    """How far the compiled calls are from eager's, eager's from itself, and both from float64's.

    All runs start from the same parameters, and each call from the same random numbers. Distances
    are relative to the largest magnitude of what eager computes, if that exceeds 1. "first" is what
    the first call cost, None if it raised. `wanted` gets the number of each later call, and
    "first"; calls that it refuses are not made.
    """
    eager = [_twin(target), _twin(target)]
    exact = _in_double(_twin(target)) if target.model is not None and not target.trains else None
    torch._dynamo.config.use_numpy_random_stream = True
    torch._dynamo.reset()
    run = FirstCall(compile(target))
    differences: list[Found] = []
    raised = None
    for number, item in enumerate(target.calls):
        if run.found is not None and not wanted(number, run.found):
            continue
        reference, again = _eager_answers(eager, item)
        try:
            answer = _answer(target, run, item)
        except Exception as error:
            kind = type(error)
            caught = {"type": f"{kind.__module__}.{kind.__qualname__}", "message": str(error)}
            raised = {**caught, "call": number, "break_id": ""}
            break
        gaps = {"eager": _distance(answer, reference), "noise": _distance(again, reference)}
        if exact is not None and (double := _double_answer(exact, item)) is not None:
            gaps["compiled_float64"] = _distance(answer, double)
            gaps["eager_float64"] = _distance(reference, double)
        differences.append({"call": number, **gaps})
    return {"differences": differences, "raised": raised, "first": run.found}


def _twin(target: Target) -> Target:
    """The target made once more, with the same parameters."""
    twin = target.again()
    if twin.model is not None and target.model is not None:
        twin.model.load_state_dict(target.model.state_dict())
    return twin


def _eager_answers(twins: list[Target], item: Arguments) -> list[list[torch.Tensor]]:
    """What each of `twins` computes eagerly; if that takes random numbers, compiled code is told.

    Code that takes eager mode's random numbers is not what a user runs, nor found in its cache.
    """
    seed(SEED)
    seeded = _random_state()
    with force_eager():
        answers = [_answer(it, it.run, item) for it in twins]
    if not torch.equal(_random_state(), seeded) and not torch._inductor.config.fallback_random:
        same_random_numbers()
        torch._dynamo.reset()
    return answers


def _random_state() -> torch.Tensor:
    """Where torch's random numbers are, on the GPU too if there is one in use."""
    here = torch.get_rng_state()
    return torch.cat([here, torch.cuda.get_rng_state()]) if torch.cuda.is_initialized() else here


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
