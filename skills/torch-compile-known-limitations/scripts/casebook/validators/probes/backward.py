"""Runs of the backward graphs that AOTAutograd compiled, counted by hooks on their autograd nodes.

Compiled autograd would trace such a hook and guard on what it reads, and it runs none of these
graphs. So all hooks are removed while it is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._dynamo import compiled_autograd

from validators.probes.switches import replaced


class BackwardRuns:
    """Calls `ran` whenever a backward graph of an output that it was shown runs."""

    def __init__(self, ran: Callable[[], None]) -> None:
        self._ran = ran
        self._handles: list[Any] = []
        self._paused = False

    def watch(self, result: Any) -> None:
        """Hook the backward nodes of AOTAutograd that `result` comes from, where there are any."""
        values = result if isinstance(result, (tuple, list)) else (result,)
        nodes = {v.grad_fn for v in values if isinstance(v, torch.Tensor) and v.grad_fn is not None}
        nodes |= {parent for node in nodes for parent, _ in node.next_functions if parent}
        for node in nodes:
            if node.name() == "CompiledFunctionBackward" and "casebook" not in node.metadata:
                node.metadata["casebook"] = True
                self._handles.append(node.register_prehook(self._hook))
                if self._paused:
                    self._handles[-1].remove()

    def pause(self) -> None:
        """Take every hook away."""
        self._paused = True
        for handle in self._handles:
            handle.remove()

    def resume(self) -> None:
        """Put the hooks back on the nodes that still exist."""
        self._paused = False
        self._handles = [it for it in self._handles if it.hooks_dict_ref() is not None]
        for handle in self._handles:
            handle.hooks_dict_ref()[handle.id] = self._hook

    def _hook(self, _gradients: Any) -> None:
        self._ran()


@contextmanager
def without_compiled_autograd(runs: BackwardRuns) -> Iterator[None]:
    """Pause `runs` whenever compiled autograd is on, until the block ends."""
    # All of its switches, public and private, call this function.
    switch = torch._C._dynamo.compiled_autograd
    real = switch.set_autograd_compiler

    def set_autograd_compiler(compiler: Any, *rest: Any) -> Any:
        (runs.resume if compiler is None else runs.pause)()
        return real(compiler, *rest)

    if compiled_autograd.compiled_autograd_enabled:
        runs.pause()
    with replaced(switch, "set_autograd_compiler", set_autograd_compiler):
        yield
