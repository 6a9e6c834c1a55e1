"""The part `cudagraphs`: which graphs a GPU records and replays, which it skips, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.graphs.breaks import ran
from validators.inspector.loading.target import Target, compiled, copies
from validators.probes import observe
from validators.probes.arguments import Arguments
from validators.probes.cuda import overwritten

_ROUNDS = 4
"""The first call of a graph warms up, the second records, the third replays."""


def cudagraphs(target: Target, options: dict[str, Any]) -> dict[str, Any]:
    """CUDA graphs of all calls in several rounds: skips with reasons, recordings, replays.

    "overwritten" counts calls whose output can no longer be read after the next call. "withheld"
    says why there is nothing, else it is "".
    """
    if not torch.cuda.is_available():
        return {"withheld": "this needs a GPU that torch can use"}
    options = {"mode": "reduce-overhead", **options, "backend": "inductor"}
    kept: list[Any] = []

    def calls() -> Iterator[Arguments]:
        for _ in range(_ROUNDS):
            yield from copies(target)

    def keeping(run: Any) -> Any:
        made = compiled(run, options)

        def call(*args: Any, **kwargs: Any) -> None:
            kept.append(pytree.tree_leaves(made(*args, **kwargs)))

        return call

    report = observe(target.run, calls(), compile=keeping)
    seen = report.cudagraphs
    return {
        "withheld": "",
        "rounds": _ROUNDS,
        "skips": dict(Counter(seen.skips)) if seen else {},
        "recordings": seen.recordings if seen else 0,
        "replays": seen.replays if seen else 0,
        "overwritten": sum(not _readable(it) for it in kept),
        **ran(report, len(target.calls)),
    }


def _readable(values: list[Any]) -> bool:
    try:
        for value in values:
            if isinstance(value, torch.Tensor):
                value.detach().clone()
    except RuntimeError as error:
        if overwritten(str(error)):
            return False
        raise
    return True
