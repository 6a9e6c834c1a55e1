"""Replay the recorded calls of one target with another, and compare what they compute.

Only the first target's own inputs tell whether a fix is one: a second factory may return others.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from validators.inspector.calls.made_up import Round
from validators.inspector.calls.patience import Patience, at_most
from validators.inspector.calls.recording import LONGEST, Recording, differs, loaded
from validators.inspector.loading.target import Target, TargetError, compiled, copy_of, for_backend
from validators.inspector.values.answers import (
    Answer,
    NoGradients,
    answer,
    names_of,
    plain,
    same_random_numbers,
)
from validators.inspector.values.leaves import Leaves
from validators.inspector.values.rounding import Expected, other_kind, other_values
from validators.probes.arguments import Arguments
from validators.probes.switches import force_eager
from validators.worker.measuring import graphs_compiled, ops_captured
from validators.worker.user_code import sentence

_MANY_GRAPHS = 16
"""From how many graphs on only the first round is compiled."""
_MANY_OPS = 300
"""From how many ops of the first call on Inductor compiles no later one: they take a minute."""
_NAMES = 3
"""How many names are told of those that are added or lost."""

Found = dict[str, Any]


def with_recorded_calls(target: Target, path: str) -> Target:
    """The target with the calls and the parameters that were recorded at `path`.

    Raises:
        TargetError: its parameters have other names or shapes.
    """
    kept = loaded(path)

    def load(it: Target) -> Target:
        if (it.model is None) != (kept.state is None):
            raise TargetError("one target is a module and the other is not; compare equal kinds")
        if it.model is not None:
            _load(it.model, kept)
        calls = tuple(copy_of(item) for item in kept.own)
        return dataclasses.replace(it, calls=calls, again=lambda: load(it.again()))

    return load(target)


def replayed(
    target: Target, path: str, options: Found, seconds: float = 0, own: bool = False
) -> Found:
    """Make the recorded calls compiled, and say what differs from what was recorded at `path`.

    With `own`, the first round is made, which holds the calls of the target that was recorded.

    "raised" or "different" holds a sentence if a call raises or differs; it is the last. "named"
    holds what has changed and need not matter. "lost" names saved state that is not there any more,
    or is "". "hasty" says whether `seconds` are not enough for all rounds, "slow" whether Inductor
    compiled the first call only, since that has many ops.
    """
    kept = loaded(path)
    same_random_numbers()
    judge = _Judge(options)
    before, saved = _saved(target, kept)
    lost = before - saved
    if other := before ^ saved:
        said = f"old checkpoints no longer load with strict=True, because of {_listed(other)}"
        judge.named.append(said)
    judge.named += _other_names(target, kept, lost)
    patience, hasty = Patience(seconds), False
    for number, (it, wanted) in enumerate(kept.answered[:1] if own else kept.answered):
        hasty = bool(number) and not patience.lasts()
        if hasty:
            break
        last = judge.judge(it.of(target.again() if number else target), it, wanted)
        if last is not None and not number:
            judge.named += _other_attributes(last, kept.held)
            judge.uncompiled(target.again(), it, wanted)
        judge.refused(target, it)
        if judge.raised or judge.different:
            break
    told = {"raised": judge.raised, "different": judge.different, "named": judge.named}
    return {**told, "lost": _listed(lost), "hasty": hasty, "slow": judge.slow}


class _Judge:
    """Makes rounds of calls compiled, and holds sentences about those that raise or differ.

    Where the first round compiles many graphs, or many ops, the others, which are about the code
    alone, run as it is: they would compile as many.
    """

    def __init__(self, options: Found) -> None:
        self.options = options
        self.raised: list[str] = []
        self.different: list[str] = []
        self.named: list[str] = []
        self.named_sharing: list[str] = []
        self.graphs = 0
        self.slow = False

    def judge(self, target: Target, it: Round, wanted: list[Expected]) -> Answer | None:
        """The answer to the last call of a round; None if the round ends before."""
        if not it.thorough and (self.slow or self.graphs > _MANY_GRAPHS):
            with force_eager():
                return self._judge(target, target.run, it, wanted)
        torch._dynamo.reset()
        before = graphs_compiled()
        last = self._judge(target, compiled(target.run, self._options(it)), it, wanted)
        self.graphs = max(self.graphs, graphs_compiled() - before)
        return last

    def uncompiled(self, target: Target, it: Round, wanted: list[Expected]) -> None:
        """Judge the target's own calls without compiling: code may ask whether it is compiled."""
        own = dataclasses.replace(
            it,
            calls=[(f"without compiling, {name}", item) for name, item in it.calls[: it.own]],
            thorough=False,
        )
        with force_eager():
            self._judge(it.of(target), target.run, own, wanted[: it.own])

    def refused(self, target: Target, it: Round) -> None:
        """Name the first call that raises before, and that the target answers."""
        for name, item, raised in it.refused:
            fresh = it.of(target.again())
            with force_eager(), contextlib.suppress(Exception), at_most(LONGEST):
                answer(fresh, fresh.run, item)
                self.named.append(f"{name}: it no longer raises {raised}")
                return

    def _options(self, it: Round) -> Found:
        """The options of a round: those that were given, or Dynamo's alone."""
        chosen = self.options
        if self.slow or not it.thorough:
            chosen = for_backend("eager", chosen)
        # torch.compile takes out of them what it uses itself.
        return {n: dict(value) if isinstance(value, dict) else value for n, value in chosen.items()}

    def _judge(
        self, target: Target, run: Callable[..., Any], it: Round, wanted: list[Expected]
    ) -> Answer | None:
        given = None
        for number, ((name, item), expectation) in enumerate(zip(it.calls, wanted, strict=True)):
            it.move(target, number)
            before = ops_captured()
            try:
                given = answer(target, run, item, it.backward)
            except NoGradients as error:
                if _has_none(target, it, item):
                    self.different.append(f"{name}: it has no gradients: {error}")
                    return None
                self.named.append(f"{name}: compiled, its backward pass raises {error}")
                forward = dataclasses.replace(it, backward=False)
                return self.judge(it.of(target.again()), forward, wanted)
            except Exception as error:
                said = f"{name} raises {sentence(error)}"
                # Nobody asked for these, and what raises cannot be overlooked.
                asked = not it.dtype and not it.odd and it.training is None
                said_of = self.raised if asked else self.named
                said_of.append(f"compiled, {said}" if it.thorough else said)
                return None
            if self._differs(name, it, given, expectation):
                return None
            many = ops_captured() - before > _MANY_OPS
            if it.thorough and number == 0 and many and self._by_inductor():
                self.slow = True
                torch._dynamo.reset()
                run = compiled(target.run, self._options(it))
        return given

    def _by_inductor(self) -> bool:
        return bool(self.options.get("backend") == "inductor")

    def _differs(self, name: str, it: Round, given: Answer, wanted: Expected) -> bool:
        """Whether an answer differs.

        In other dtypes, the kinds of its parts need not be equal. In odd calls, what is not finite
        is told: nobody can overlook it.
        """
        kind = other_kind(given, wanted.answer)
        if kind and it.dtype:
            self.named.append(f"{name}: {kind}")
        said = kind if kind and not it.dtype else other_values(given, wanted)
        if it.thorough and not self.named_sharing and not said:
            self.named_sharing = list(_unseen(given, wanted.answer))
            self.named += self.named_sharing
        if said and it.odd and not kind and not other_values(given, wanted, finite=True):
            # A product with a mask of zeros has NaN where indexing leaves out what is not finite.
            self.named.append(f"{name}: {said}")
        elif said:
            # A model that is only evaluated may have lost what it does in training.
            (self.named if it.training else self.different).append(f"{name}: {said}")
        return bool(said or kind)


def _unseen(given: Answer, before: Answer) -> Iterator[str]:
    """How two answers differ that have equal values."""
    for output, other in sorted(given.shared - before.shared)[:_NAMES]:
        yield f"{output} shares memory with {other}; before, it does not"
    for output, other in sorted(before.shared - given.shared)[:_NAMES]:
        yield f"{output} no longer shares memory with {other}"
    for path, leaf in before.returned.items():
        mine = given.returned[path]
        if mine.keys != leaf.keys:
            keys, others = ", ".join(mine.keys), ", ".join(leaf.keys)
            yield f"{path} has its keys in the order {keys}; before, it is {others}"
    if given.drawn != before.drawn:
        yield "it takes other random numbers than before, so what comes after it gets others, too"


def _has_none(target: Target, it: Round, item: Arguments) -> bool:
    """Whether the target has no backward pass without compiling, either."""
    fresh = it.of(target.again())
    try:
        with force_eager():
            answer(fresh, fresh.run, item, backward=True)
    except NoGradients:
        return True
    except Exception:
        return False
    return False


def _load(model: torch.nn.Module, kept: Recording) -> None:
    """Give a model the recorded parameters and buffers that it has, too."""
    assert kept.state is not None
    own = {plain(name): name for name in model.state_dict()}
    given = {own.get(name, name): it for name, it in kept.state.items()}
    try:
        model.load_state_dict(given)
        return
    except RuntimeError as error:
        said = " ".join(str(error).split())[:300]
    names = names_of(model)
    missing = sorted(kept.parameters - own.keys()) + sorted(names[0] - kept.state.keys())
    if missing:
        raise TargetError(f"the parameters differ, so nothing can be compared: {said}")
    shapes = {name: getattr(it, "shape", None) for name, it in model.state_dict().items()}
    fitting = {
        name: it
        for name, it in given.items()
        if name in shapes
        and (plain(name) in names[0] or getattr(it, "shape", None) == shapes[name])
    }
    try:
        model.load_state_dict(fitting, strict=False)
    except RuntimeError as error:
        raise TargetError(f"the parameters differ, so nothing can be compared: {said}") from error


def _other_names(target: Target, kept: Recording, lost: set[str]) -> Iterator[str]:
    """Parameters and buffers that only one of the two targets has, without those in `lost`."""
    names = names_of(target.model)
    kinds = ("parameters", names[0], kept.parameters), ("buffers", names[1], kept.buffers)
    for kind, now, before in kinds:
        added = [f"{it} (was a plain attribute)" if it in kept.held else it for it in now - before]
        if added:
            yield f"it adds {kind}: {_listed(added)}"
        if gone := before - now - lost:
            yield f"it no longer has {kind}: {_listed(gone)}"


def _saved(target: Target, kept: Recording) -> tuple[set[str], set[str]]:
    """The names of what the first target saves in its checkpoints, and of what this one does."""
    if target.model is None or kept.state is None:
        return set(), set()
    return set(kept.state), {plain(it) for it in target.model.state_dict()}


def _listed(names: Iterable[str]) -> str:
    """The first names, and how many others there are."""
    ordered = sorted(names)
    more = len(ordered) - _NAMES
    return ", ".join(ordered[:_NAMES]) + (f" and {more} more" if more > 0 else "")


def _other_attributes(given: Answer, held: Leaves) -> Iterator[str]:
    """Attributes that the calls change in another way."""
    for name, leaf in held.items():
        mine = given.attributes.get(name) or given.state.get(name)
        if mine is None:
            yield f"it does not keep the attribute {name}, which the calls change"
        elif differs(mine, leaf):
            yield f"the calls leave another value in the attribute {name}"
