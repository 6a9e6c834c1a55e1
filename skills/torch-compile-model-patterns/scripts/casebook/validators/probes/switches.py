"""Dynamo's switches, and substitutes for them on releases that lack them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
from torch._dynamo import convert_frame, eval_frame


def error_on_graph_break() -> AbstractContextManager[Any]:
    """Raise at the first graph break within the block, wherever `torch.compile` was called."""
    switch = getattr(torch._dynamo, "error_on_graph_break", None)
    return _asserting_frames() if switch is None else switch(True)


def force_eager() -> AbstractContextManager[Any]:
    """Within the block, run functions that were compiled before it eagerly."""
    stance = getattr(torch.compiler, "set_stance", None)
    return _no_frames() if stance is None else stance("force_eager")


def _asserting_frames() -> AbstractContextManager[None]:
    """Convert every frame as under `fullgraph=True`: what fails is raised, not skipped."""

    def convert(self: Any, *args: Any, **kwargs: Any) -> Any:
        self._inner_convert._one_graph = True
        return self._inner_convert(*args, **kwargs)

    return replaced(convert_frame.ConvertFrame, "__call__", convert)


def _no_frames() -> AbstractContextManager[None]:
    """Keep compiled functions from giving the interpreter their callback."""
    real = eval_frame._maybe_set_eval_frame
    return replaced(eval_frame, "_maybe_set_eval_frame", lambda _callback: real(None))


@contextmanager
def replaced(owner: Any, name: str, value: Callable[..., Any]) -> Iterator[None]:
    """Replace `owner.name` by `value` until the block ends."""
    real = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, real)
