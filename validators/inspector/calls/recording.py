"""Record what a target computes eagerly, so that another one can be compared with it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from validators.inspector.calls.made_up import Round, rounds, varying
from validators.inspector.calls.patience import Patience, TooLong, at_most
from validators.inspector.loading.target import Target, TargetError, copy_of
from validators.inspector.values.answers import (
    Answer,
    NoGradients,
    answer,
    attributes_of,
    names_of,
    plain,
    random_state,
    state_of,
    with_shared,
)
from validators.inspector.values.leaves import Leaf, Leaves
from validators.inspector.values.rounding import (
    Expected,
    expected,
    gap,
    in_double,
    in_other_bits,
    undetermined,
)
from validators.inspector.values.sums import SEED
from validators.probes.arguments import Arguments
from validators.probes.switches import force_eager
from validators.worker.user_code import seed, sentence

LONGEST = 20.0
"""How many seconds a made-up call may take: a loop may never end for other values."""
_TWINS = 2
"""How many times a round is made once more to measure rounding."""


@dataclasses.dataclass(frozen=True)
class Recording:
    """What a target was given, and what it computed eagerly.

    `state` is None for a function. `answered` holds each round with what is expected of its calls.
    `parameters` and `buffers` are the names of its state. `held` are the attributes that no module
    has registered and that the calls of the first round change, as they leave them.
    """

    state: dict[str, Any] | None
    parameters: frozenset[str]
    buffers: frozenset[str]
    own: list[Arguments]
    answered: list[tuple[Round, list[Expected]]]
    held: Leaves


@dataclasses.dataclass
class _Made:
    """What the calls of a round compute, and the exception of the one that ended it.

    `drew` says that calls took random numbers, of which float64 takes others.
    """

    answers: list[Answer]
    error: Exception | None = None
    drew: bool = False


def record(target: Target, path: str, seconds: float = 0) -> dict[str, Any]:
    """Make the target's calls, and more that follow from them, eagerly; keep it all at `path`.

    A made-up call that eager mode refuses is left out, and so are rounds for which `seconds` are
    not enough; "hasty" says whether there are any. "varying" counts the sizes that vary between
    the calls. "loose" names an output of which rounding may change a large part, "" if there is
    none.

    Raises:
        TargetError: one of the target's own calls raises.
    """
    model = target.model
    state = None if model is None else _copied(model.state_dict())
    held = attributes_of(model)
    own = [copy_of(it) for it in target.calls]
    answered, hasty = _answered(_with_state(target, state), Patience(seconds))
    first = answered[0][1]
    last = first[-1].answer.attributes
    changed = {name: it for name, it in last.items() if differs(it, held.get(name))}
    torch.save(Recording(state, *names_of(model), own, answered, changed), path)
    return {
        "calls": len(own),
        "made_up": sum(len(calls) for _, calls in answered) - len(own),
        "hasty": hasty,
        "varying": len(varying(target.calls)),
        "loose": next(filter(None, map(undetermined, first[: len(own)])), ""),
    }


def loaded(path: str) -> Recording:
    """What `record` kept at `path`."""
    kept: Recording = torch.load(path, weights_only=False)
    return kept


def differs(one: Leaf, other: Leaf | None) -> bool:
    """Whether two attributes differ; a number equals a tensor that holds it."""
    return other is None or gap(one.as_tensor(), other.as_tensor()) != 0


def _with_state(target: Target, state: dict[str, Any] | None) -> Target:
    """The target; made again, it has this state."""

    def again() -> Target:
        made = target.again()
        if made.model is not None and state is not None:
            names = {plain(name): name for name in made.model.state_dict()}
            made.model.load_state_dict({names.get(name, name): it for name, it in state.items()})
        return made

    return dataclasses.replace(target, again=again)


def _answered(
    target: Target, patience: Patience
) -> tuple[list[tuple[Round, list[Expected]]], bool]:
    """The rounds of which eager mode can make calls, and whether time is too short for some."""
    found: list[tuple[Round, list[Expected]]] = []
    for it in rounds(target):
        if found and not patience.lasts():
            return found, True
        made = _recorded(target, it)
        if made[1]:
            found.append(made)
    return found, False


def _recorded(target: Target, it: Round) -> tuple[Round, list[Expected]]:
    """A round without the calls that raise, and what is expected of the others."""
    left_out: list[tuple[str, Arguments]] = []
    while True:
        fresh = it.of(target.again())
        initial = state_of(fresh.model)
        made = _made(fresh, it)
        if made.error is None:
            break
        left_out += it.calls[len(made.answers) :][:1]
        it = _without(it, len(made.answers), made.error)
    if not it.dtype and not it.odd:
        it = dataclasses.replace(it, refused=tuple(_refused(target, it, left_out)))
    trained = names_of(fresh.model)[0] if target.trains else frozenset()
    twins = _twins(target, it, made.drew) if made.answers else []
    return it, [
        expected(answer, [twin[n] for twin in twins if n < len(twin)], initial, trained, it.others)
        for n, answer in enumerate(made.answers)
    ]


def _refused(
    target: Target, it: Round, calls: list[tuple[str, Arguments]]
) -> Iterator[tuple[str, Arguments, str]]:
    """The calls that raise eagerly whatever was called before, with what they say."""
    for name, item in calls:
        made = _made(it.of(target.again()), dataclasses.replace(it, own=0, calls=[(name, item)]))
        if made.error is not None and not isinstance(made.error, (NoGradients, TooLong)):
            yield name, item, sentence(made.error)


def _without(it: Round, number: int, error: Exception) -> Round:
    """A round without what raised in the call of that number: it, or all backward passes."""
    if isinstance(error, NoGradients) and not number:
        return dataclasses.replace(it, backward=False)
    if number < it.own:
        raised = f"{it.calls[number][0]} raises {sentence(error)} without compiling"
        raise TargetError(f"{raised}; fix that first") from error
    return dataclasses.replace(it, calls=[*it.calls[:number], *it.calls[number + 1 :]])


def _made(target: Target, it: Round) -> _Made:
    """What the calls of a round compute eagerly, up to the first that raises."""
    made = _Made([])
    seed(SEED)
    seeded = random_state()
    with force_eager():
        for number, (_, item) in enumerate(it.calls):
            limit = at_most(LONGEST) if number >= it.own else contextlib.nullcontext()
            it.move(target, number)
            try:
                with limit:
                    given = answer(target, target.run, item, it.backward)
            except Exception as error:
                made.error = error
                return made
            made.drew |= not torch.equal(random_state(), seeded)
            if made.answers:
                shared = with_shared(given.state, made.answers[-1].state)
                given = dataclasses.replace(given, state=shared)
            made.answers.append(given)
    return made


def _twins(target: Target, it: Round, drew: bool) -> list[list[Answer]]:
    """The answers of a round that differ from its own by rounding alone."""
    found = []
    if not drew and (exact := _twin(in_double, target, it)):
        found.append(exact)
    while len(found) < _TWINS:
        found.append(_twin(partial(in_other_bits, len(found)), target, it))
    return found


def _twin(
    change: Callable[[torch.nn.Module | None, list[Arguments]], list[Arguments]],
    target: Target,
    it: Round,
) -> list[Answer]:
    """What a changed form of a round computes; nothing where it cannot be changed."""
    try:
        fresh = it.of(target.again())
        calls = change(fresh.model, [item for _, item in it.calls])
    except Exception:
        return []
    names = [name for name, _ in it.calls]
    return _made(fresh, dataclasses.replace(it, calls=list(zip(names, calls, strict=True)))).answers


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    return {plain(name): it.clone() if torch.is_tensor(it) else it for name, it in state.items()}
