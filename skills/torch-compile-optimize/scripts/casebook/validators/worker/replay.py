"""Replay the calls of one target with another, and compare what they compute.

Only the first target's own inputs tell whether a fix is one: a second factory may return others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.probes import results
from validators.probes.arguments import Arguments
from validators.probes.switches import force_eager
from validators.worker.target import Target, TargetError, compiled, copy_of
from validators.worker.user_code import seed, sentence

_SETTINGS = (
    "suppress_errors",
    "recompile_limit",
    "accumulated_recompile_limit",
    "cache_size_limit",
    "accumulated_cache_size_limit",
)
SEED = 20
"""Where the random numbers of each call begin."""


def settings() -> dict[str, Any]:
    """The settings of Dynamo that hide trouble, as they stand."""
    config = torch._dynamo.config
    return {name: getattr(config, name) for name in _SETTINGS if hasattr(config, name)}


def same_random_numbers() -> None:
    """Draw in compiled code what eager mode draws.

    Inductor has random numbers of its own, and Dynamo leaves NumPy's alone.
    """
    torch._inductor.config.fallback_random = True
    torch._dynamo.config.use_numpy_random_stream = True


def record(target: Target, path: str) -> dict[str, Any]:
    """Make the target's calls, and more that follow from them, eagerly; keep it all at `path`.

    A made-up call that eager mode refuses is left out.
    """
    state = None if target.model is None else _copied(target.model.state_dict())
    calls = [copy_of(it) for it in target.calls]
    for item in _more(target.calls):
        try:
            with force_eager():
                target.again().run(*copy_of(item).args, **copy_of(item).kwargs)
        except Exception:
            continue
        calls.append(item)
    torch.save({"state": state, "calls": calls, "own": len(target.calls)}, f"{path}.calls")
    results.start_keeping()
    with force_eager():
        raised = _make(target, target.run, calls)
    if raised:
        raise TargetError(f"{raised} without compiling; fix that first")
    results.save(path)
    return {"calls": len(target.calls), "made_up": len(calls) - len(target.calls)}


def with_recorded_calls(target: Target, path: str) -> Target:
    """The target with the calls and the parameters that were recorded at `path`.

    Raises:
        TargetError: its parameters have other names or shapes.
    """
    kept = torch.load(f"{path}.calls", weights_only=False)

    def load(it: Target) -> Target:
        if (it.model is None) != (kept["state"] is None):
            raise TargetError("one target is a module and the other is not; compare equal kinds")
        if it.model is not None:
            try:
                it.model.load_state_dict(kept["state"])
            except RuntimeError as error:
                first = " ".join(str(error).split())[:300]
                raise TargetError(
                    f"the parameters differ, so nothing can be compared: {first}"
                ) from error
        calls = tuple(copy_of(item) for item in kept["calls"][: kept["own"]])
        return dataclasses.replace(it, calls=calls, again=lambda: load(it.again()))

    return load(target)


def replayed(
    target: Target, path: str, options: dict[str, Any], before: dict[str, Any]
) -> dict[str, Any]:
    """Make the recorded calls compiled, and say what differs from what was recorded at `path`."""
    kept = torch.load(f"{path}.calls", weights_only=False)
    options = {"backend": "inductor", **options}
    same_random_numbers()
    torch._dynamo.reset()
    run = compiled(target.run, options)
    results.start_keeping()
    raised = _make(target, run, kept["calls"])
    changed = {
        name: [before[name], value]
        for name, value in settings().items()
        if value != before.get(name)
    }
    return {
        "calls": kept["own"],
        "raised": raised,
        "difference": "" if raised else results.compare(path)["difference"],
        "settings": changed,
    }


def _make(target: Target, run: Callable[..., Any], calls: list[Arguments]) -> str:
    """Make `calls` and keep what they compute; the sentence about one that raises, else ""."""
    results.begin()
    for number, given in enumerate(calls):
        item = copy_of(given)
        seed(SEED)
        try:
            returned = run(*item.args, **item.kwargs)
        except Exception as error:
            return f"call {number} raises {sentence(error)}"
        trained = list(target.model.parameters()) if target.trains and target.model else []
        results.keep((returned, trained), (item.args, item.kwargs), target.run)
    return ""


def _more(calls: tuple[Arguments, ...]) -> Iterator[Arguments]:
    """Calls that follow from `calls`: in reverse order, other values, one row more."""
    yield from map(copy_of, reversed(calls))
    for item in calls[:2]:
        yield _mapped(item, lambda value: value.flip(0) if value.dim() else value)
        yield _mapped(item, _other_values)
        rows = {it.shape[0] for it in _tensors(item) if it.dim()}
        if len(rows) == 1:
            yield _mapped(
                item, lambda value: torch.cat([value, value[-1:]]) if value.dim() else value
            )


def _other_values(value: torch.Tensor) -> torch.Tensor:
    return value * 0.5 + 0.25 if value.is_floating_point() else value


def _mapped(item: Arguments, change: Callable[[torch.Tensor], torch.Tensor]) -> Arguments:
    def changed(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return change(value.detach()).clone().requires_grad_(value.requires_grad)

    args, kwargs = pytree.tree_map(changed, (item.args, item.kwargs))
    return Arguments(args, kwargs)


def _tensors(item: Arguments) -> list[torch.Tensor]:
    leaves = pytree.tree_leaves((item.args, item.kwargs))
    return [it for it in leaves if isinstance(it, torch.Tensor)]


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    return {name: it.clone() if torch.is_tensor(it) else it for name, it in state.items()}
