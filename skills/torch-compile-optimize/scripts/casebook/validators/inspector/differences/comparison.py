"""How far compiled calls are from eager's, and eager's from itself."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch

from validators.inspector.differences.window import Window
from validators.inspector.loading.target import Target, for_backend, tensors_in
from validators.inspector.values.answers import (
    Answer,
    NoGradients,
    answer,
    names_of,
    random_state,
    same_random_numbers,
    state_of,
)
from validators.inspector.values.distances import CLOSE, as_json, is_wrong
from validators.inspector.values.leaves import Leaf, Leaves
from validators.inspector.values.rounding import (
    Place,
    at,
    exact,
    gap,
    in_double,
    in_other_bits,
    named,
    other_kind,
    parts,
    residue,
    scale_of,
)
from validators.inspector.values.sums import SEED
from validators.probes.arguments import Arguments
from validators.probes.switches import force_eager
from validators.worker.measuring import FirstCall
from validators.worker.user_code import seed

Found = dict[str, Any]

_EAGER = "in eager mode"
_CANCELLING = ("gradients", "state")
"""Fields where what cancels leaves rounding: the mean of what is normalized, a bias before that."""
_FLUSHED = (torch.float32, torch.bfloat16, torch.complex64)
"""Kernels for a GPU take float32 numbers below the smallest normal one for zero."""


@dataclasses.dataclass(frozen=True)
class _Seen:
    """The answers to a call: compiled, eager, eager once more, and in float64 if there is one.

    `moved` is eager's with weights and inputs that differ in their last bits.
    """

    made: Answer
    reference: Answer
    again: Answer
    moved: Answer | None
    double: Answer | None
    initial: Leaves


def compared(
    target: Target,
    compile: Callable[[Target], Callable[..., Any]],
    wanted: Callable[[int, Found], bool] = lambda *_: True,
    gradients: bool = False,
) -> Found:
    """How far the compiled calls are from eager's, eager's from itself, and both from float64's.

    All runs start from the same parameters, and each call from the same random numbers. A training
    step has gradients to compare. With `gradients`, so has a call of a model in training mode, or
    with an input that requires some. Of each call, the tensor counts that rounding explains least,
    "part" names it; distances are relative to the largest magnitude of what eager computes there.
    "first" is what the first call cost, None if it raised; "drew" says whether a call drew random
    numbers. `wanted` gets the number of each later call, and "first"; calls that it refuses are not
    made.
    """
    eager = [_twin(target), _twin(target)]
    double = _changed(target, lambda model: in_double(model, []))
    moved = _changed(target, lambda model: in_other_bits(1, model, []))
    initial = state_of(target.model)
    torch._dynamo.config.use_numpy_random_stream = True
    torch._dynamo.reset()
    run = FirstCall(compile(target))
    differences: list[Found] = []
    raised, any_drew = None, False
    for number, item in enumerate(target.calls):
        if run.found is not None and not wanted(number, run.found):
            continue
        backward = gradients and _learns(target, item)
        try:
            (reference, again), drew = _eager_answers(eager, item, backward)
        except NoGradients:
            backward = False
            (reference, again), drew = _eager_answers(eager, item, backward)
        any_drew |= drew
        try:
            made = answer(target, run, item, backward)
        except Exception as error:
            cause = error.__cause__ if isinstance(error, NoGradients) else error
            kind = type(cause)
            caught = {"type": f"{kind.__module__}.{kind.__qualname__}", "message": str(cause)}
            raised = {**caught, "call": number, "break_id": ""}
            break
        # Float64 takes other random numbers, and what is moved takes the same.
        (doubled,), (nearby,) = in_double(None, [item]), in_other_bits(1, None, [item])
        exactly = _eager_answer(double, doubled, backward) if double and not drew else None
        bits = _eager_answer(moved, nearby, backward) if moved else None
        seen = _Seen(made, reference, again, bits, exactly, initial)
        differences.append({"call": number, **_worst(target, seen)})
    return {"differences": differences, "raised": raised, "first": run.found, "drew": any_drew}


def compared_as_drawn(
    target: Target,
    options: Found,
    compile: Callable[[Target, Found], Callable[..., Any]],
    wanted: Callable[[int, Found], bool] = lambda *_: True,
) -> Found:
    """How the calls compare, as `compared` with gradients; `compile` gets options with a "backend".

    Where calls draw random numbers and differ, they are compared once more with these ops left as
    they are.
    """
    found = compared(target, lambda it: compile(it, options), wanted, gradients=True)
    if found["drew"] and any(map(is_wrong, found["differences"])):
        backend = options["backend"]
        window = backend if isinstance(backend, Window) else Window(backend, inverted=True)
        apart = for_backend(dataclasses.replace(window, random=False, ops=[], parts=[]), options)
        again = compared(target.again(), lambda it: compile(it, apart), wanted, gradients=True)
        # What raises without them says nothing about them.
        if not again["raised"]:
            found["differences"] = again["differences"]
    return found


def _twin(target: Target) -> Target:
    """The target made once more, with the same parameters."""
    twin = target.again()
    if twin.model is not None and target.model is not None:
        twin.model.load_state_dict(target.model.state_dict())
    return twin


def _changed(target: Target, change: Callable[[torch.nn.Module | None], object]) -> Target | None:
    """The target made once more with a changed model; None if it does not take the change."""
    twin = _twin(target)
    try:
        change(twin.model)
    except RuntimeError:
        # Quantized weights have no float64.
        return None
    return twin


def _learns(target: Target, item: Arguments) -> bool:
    """Whether a call is made to learn: the model is in training mode, or an input asks for it."""
    training = target.model is not None and target.model.training
    return training or any(it.requires_grad for it in tensors_in((item.args, item.kwargs)))


def _eager_answers(
    twins: list[Target], item: Arguments, backward: bool
) -> tuple[list[Answer], bool]:
    """What each of `twins` computes eagerly, and whether that takes random numbers.

    Compiled code is told if it does.

    Code that takes eager mode's random numbers is not what a user runs, nor found in its cache.
    """
    seed(SEED)
    seeded = random_state()
    with force_eager():
        answers = [answer(it, it.run, item, backward) for it in twins]
    drew = not torch.equal(random_state(), seeded)
    if drew and not torch._inductor.config.fallback_random:
        same_random_numbers()
        torch._dynamo.reset()
    return answers, drew


def _eager_answer(target: Target, item: Arguments, backward: bool) -> Answer | None:
    """The answer to a call that was changed; None if the code does not take it."""
    try:
        with force_eager():
            return answer(target, target.run, item, backward)
    except (RuntimeError, NoGradients):
        return None


def _worst(target: Target, seen: _Seen) -> Found:
    """The distances of the part that is farthest away, if rounding does not explain it.

    "kind" says which part is another thing: it has no distance. With "zeros", that is a gradient of
    zeros, and all else is right. What eager mode does not repeat itself cannot be compared.
    """
    kind = _other_kind(seen.made, seen.reference)
    if kind and not _other_kind(seen.again, seen.reference):
        return {"eager": None, "noise": 0.0, "kind": kind}
    trained = names_of(target.model)[0] if target.trains else frozenset()
    scales = _largest_scales(seen)
    largest = max(scales.values(), default=0.0)
    found = [
        _distances(place, leaf, seen, largest, scales[place[0]] if place[0] in _CANCELLING else 0.0)
        for place, leaf in parts(seen.reference)
        # What an optimizer makes of a gradient's rounding is compared as the gradient.
        if place[0] != "state" or place[1] not in trained
    ]
    worst = max(found, key=_rank, default={"eager": 0.0, "noise": 0.0})
    zeros = other_kind(seen.made, seen.reference, _EAGER)
    if zeros and not is_wrong(worst) and not other_kind(seen.again, seen.reference):
        return {"eager": None, "noise": 0.0, "kind": zeros, "zeros": True}
    return worst


def _largest_scales(seen: _Seen) -> dict[str, float]:
    """The largest scale in each field of eager's answer; state that stays has none."""
    found = defaultdict[str, float](float)
    for place, leaf in parts(seen.reference):
        # Sums of whole numbers are as large as may be.
        if leaf.whole() or not exact(leaf):
            found[place[0]] = max(found[place[0]], scale_of(place, leaf, seen.initial))
    return found


def _other_kind(made: Answer, reference: Answer) -> str:
    """What is another thing than in eager mode, or shares its memory with others; "" if nothing."""
    if said := other_kind(made, reference, _EAGER, new_zeros=False):
        return said
    for output, other in sorted(made.shared - reference.shared):
        return f"{output} shares memory with {other}; {_EAGER}, it does not"
    for output, other in sorted(reference.shared - made.shared):
        return f"{output} does not share memory with {other}; {_EAGER}, it does"
    return ""


def _distances(place: Place, leaf: Leaf, seen: _Seen, largest: float, beside: float) -> Found:
    """How far a part of the compiled answer and of the others is from eager's `leaf`.

    `largest` is the largest scale in all of eager's answer, `beside` that of the parts whose
    rounding this one may be.
    """
    scale = 1.0
    if isinstance(leaf.values, torch.Tensor) and not exact(leaf):
        smallest = residue(leaf, largest, beside) / CLOSE
        scale = max(scale_of(place, leaf, seen.initial), smallest) or 1.0
        if leaf.values.dtype in _FLUSHED:
            scale = max(scale, torch.finfo(torch.float32).tiny / CLOSE)

    def relative(one: Leaf | None, other: Leaf | None, finite: bool = False) -> float | None:
        if one is None or other is None:
            return None
        distance = gap(one, other, finite=finite)
        return None if distance is None else as_json(distance / scale)

    made, again = at(seen.made, place), at(seen.again, place)
    alike = made is not None and made.kind == leaf.kind
    away = relative(made, leaf) if alike else None
    found: Found = {"eager": away, "noise": relative(again, leaf), "part": named(place)}
    if seen.moved is not None:
        found["moved"] = relative(at(seen.moved, place), leaf, finite=True)
    if seen.double is not None:
        doubled = at(seen.double, place)
        found["compiled_float64"] = relative(made, doubled)
        # Where eager mode alone overflows, compiled code is compared with float64.
        found["eager_float64"] = relative(leaf, doubled, finite=True)
    return found


def _rank(it: Found) -> tuple[bool, float]:
    """What rounding does not explain comes last, then what is far away."""
    away = it["eager"]
    if away is None:
        return True, float("inf")
    return away <= CLOSE or is_wrong(it), away
