"""Make a failing program smaller, one try in a process of its own after another."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking
from validators.diagnose.target.spec import Spec
from validators.repro.goal import Goal, brief
from validators.repro.result import Trial, Tried

BACKENDS = ("eager", "aot_eager", "aot_eager_decomp_partition", "inductor")
"""Each does more than the one before it: Dynamo, AOTAutograd, decompositions, Inductor."""
_MODULE = "validators.inspector.reducing.reduction"
_PAIRS = 6
"""Of more calls not all pairs are tried."""


Listener = Callable[[Tried], None]


@dataclass
class Search:
    """Tries parts of one target for one failure; keeps what each try showed."""

    asking: Asking
    spec: Spec
    goal: Goal
    listener: Listener

    def __post_init__(self) -> None:
        self.tried: list[Tried] = []
        self.texts: list[str] = []

    async def shows(self, what: str, trial: Trial) -> bool:
        """Whether the failure shows in this part of the target."""
        done = await self.ask("try", trial)
        # A compiler that kills its process tells by how that ends.
        found = done.get("found", [done.get("failure", "")])
        found = masked(found, self.spec.folder)
        shown = self.goal.shown_by(found)
        if shown:
            self.texts = found
        said = "" if shown else masked(_instead(done), self.spec.folder)
        self.tried.append(Tried(what, shown, said))
        self.listener(self.tried[-1])
        return shown

    async def ask(self, part: str, trial: Trial, values: str = "") -> dict[str, Any]:
        """The answer of a worker; `{"failure": sentence}` if it gave none."""
        more = {
            "task": "reduce",
            "module": _MODULE,
            "trial": msgspec.to_builtins(trial),
            "kind": self.goal.kind,
            "values": values,
        }
        done = await self.asking.ask(self.spec, part, more=more)
        return {"failure": done.failure} if done.failure else done.result


def _instead(done: dict[str, Any]) -> str:
    if "failure" in done:
        return f"no result: {done['failure']}"
    if done["eager"]:
        return f"raises without compiling: {brief(done['eager'])}"
    if done["found"]:
        return f"another failure: {brief(done['found'][0])}"
    return "no failure"


async def smallest(search: Search) -> Trial | None:
    """The smallest part that still fails; None if not even the whole does."""
    known = await search.ask("count", Trial("eager", []))
    if "failure" in known:
        return None
    whole = await _whole(search, list(range(known["calls"])), known["trains"])
    if whole is None:
        return None
    whole = await _without_loss(search, whole)
    fewest = await _fewest(whole.calls, lambda it: _calls(search, whole, it))
    trial = replace_calls(whole, fewest)
    return trial if trial.loss == "own" else await _descend(search, trial)


def replace_calls(trial: Trial, calls: list[int]) -> Trial:
    """The trial with other calls of the target."""
    return replace(trial, calls=calls)


async def _whole(search: Search, calls: list[int], trains: bool) -> Trial | None:
    """The whole target with the first backend that shows the failure, all calls made once or twice.

    A cache or a counter of the target may need the second round.
    """
    for made in (calls, calls * 2):
        for backend in BACKENDS:
            trial = Trial(backend, made, loss="own" if trains else "none")
            rounds = "" if made == calls else ", calls made twice"
            if await search.shows(f"backend {backend}{rounds}", trial):
                return trial
    return None


async def _without_loss(search: Search, trial: Trial) -> Trial:
    if trial.loss == "own":
        for loss, what in (("none", "without a backward pass"), ("total", "with a made-up loss")):
            smaller = replace(trial, loss=loss)
            if await search.shows(what, smaller):
                return smaller
    return trial


async def _calls(search: Search, trial: Trial, calls: list[int]) -> bool:
    return await search.shows(f"only {_numbers(calls)}", replace_calls(trial, calls))


async def _descend(search: Search, trial: Trial) -> Trial:
    """Go down to a submodule that fails alone, until none of its own submodules does."""
    while True:
        found = await search.ask("children", trial)
        children = sorted_by_type(found.get("children", []))
        for child in children:
            smaller = replace(trial, path=child["path"], inner=None)
            if await search.shows(f"submodule {child['path']} ({child['type']})", smaller):
                calls = list(range(child["calls"]))
                trial = await _fewer_inner(search, smaller, calls)
                break
        else:
            return trial


async def _fewer_inner(search: Search, trial: Trial, calls: list[int]) -> Trial:
    def with_inner(chosen: list[int]) -> Trial:
        return replace(trial, inner=chosen)

    async def tried(chosen: list[int]) -> bool:
        said = f"only {_numbers(chosen)} of {trial.path}"
        return await search.shows(said, with_inner(chosen))

    return with_inner(await _fewest(calls, tried))


def sorted_by_type(children: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The children, one of each type first: repeated blocks tend to fail alike."""
    seen: dict[str, int] = {}
    order = []
    for number, it in enumerate(children):
        seen[it["type"]] = seen.get(it["type"], 0) + 1
        order.append((seen[it["type"]], number, it))
    return [it for _, _, it in sorted(order, key=lambda entry: entry[:2])]


async def _fewest(calls: list[int], shows: Callable[[list[int]], Awaitable[bool]]) -> list[int]:
    """A single call that fails, else a shortest pair, else the calls that all matter."""
    if len(calls) < 2:
        return calls
    different = list(dict.fromkeys(calls))
    for one in different:
        if await shows([one]):
            return [one]
    if 2 < len(calls) <= _PAIRS:
        for pair in dict.fromkeys(itertools.combinations(calls, 2)):
            if await shows(list(pair)):
                return list(pair)
    kept = list(calls)
    for index in reversed(range(len(calls))):
        without = kept[:index] + kept[index + 1 :]
        if len(without) > 1 and await shows(without):
            kept = without
    return kept


def _numbers(calls: list[int]) -> str:
    return f"call{'s' if len(calls) > 1 else ''} {', '.join(map(str, calls))}"
