"""CUDA graphs up to the point where a GPU would run one to warm it up."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any
from unittest import mock

import torch
from torch._inductor import cudagraph_trees
from torch._inductor.cudagraph_utils import (
    check_for_mutation,
    log_cudagraph_skip_and_bump_counter,
)
from torch.multiprocessing.reductions import StorageWeakRef

from validators.pretended.invented import REPLAY, Invented


@dataclass
class Recordable:
    """A graph that torch hands to CUDA graphs; `skipped` is torch's reason not to record it."""

    mode: str
    inputs: int
    static: int
    mutated: int
    skipped: str


def install(invented: Invented, recordable: list[Recordable]) -> None:
    """Have torch's own manager check each graph, and run it uncaptured."""

    class Manager(cudagraph_trees.CUDAGraphTreeManager):  # type: ignore[misc]
        """torch's manager, without a pool, and without recordings."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            with contextlib.ExitStack() as stack:
                for name, value in (
                    ("CUDAGraph", mock.MagicMock()),
                    ("graph", lambda *_, **__: contextlib.nullcontext()),
                    ("graph_pool_handle", lambda: (0, 0)),
                ):
                    stack.enter_context(mock.patch.object(torch.cuda, name, value))
                super().__init__(*args, **kwargs)
            torch._C._set_cached_tensors_enabled(False)
            self._checked: dict[Any, Recordable] = {}
            self._returned: list[StorageWeakRef] = []

        def _run(self, new_inputs: list[Any], function_id: Any) -> Any:
            function = self.ids_to_funcs[function_id]
            if function_id not in self._checked:
                self._checked[function_id] = self._check(function, new_inputs, function_id)
                recordable.append(self._checked[function_id])
            returned = function.model(new_inputs)
            if not self._checked[function_id].skipped:
                self._keep(returned)
            return returned

        def _check(self, function: Any, inputs: list[Any], function_id: Any) -> Recordable:
            skipped = check_for_mutation(function, inputs, lambda _: False)
            if any(self._is_returned(inputs[it]) for it in function.mutated_input_idxs):
                invented.note(REPLAY, "whether a graph may change what another graph returned")
            if skipped:
                log_cudagraph_skip_and_bump_counter(skipped)
            return Recordable(
                mode=self.id_to_mode[function_id].name.lower(),
                inputs=len(inputs),
                static=len(function.static_input_idxs),
                mutated=len(function.mutated_input_idxs),
                skipped=skipped or "",
            )

        def _keep(self, returned: Any) -> None:
            self._returned = [it for it in self._returned if not it.expired()]
            self._returned += [
                StorageWeakRef(it.untyped_storage())
                for it in returned
                if isinstance(it, torch.Tensor)
            ]

        def _is_returned(self, value: Any) -> bool:
            if not isinstance(value, torch.Tensor):
                return False
            here = StorageWeakRef(value.untyped_storage())
            return any(not it.expired() and it == here for it in self._returned)

    cudagraph_trees.CUDAGraphTreeManager = Manager
