"""What probes hook into and torch 2.4 lacks: the same hooks, under the names of later releases."""

from __future__ import annotations

import importlib
from typing import Any


def complete() -> None:
    """Add to torch 2.4 what later releases have; change nothing in them."""
    eval_frame = importlib.import_module("torch._dynamo.eval_frame")
    if not hasattr(eval_frame, "_maybe_set_eval_frame"):
        give_frames_a_hook(eval_frame)
        give_code_a_hook(importlib.import_module("torch._inductor.graph").GraphLowering)
    name_backends(importlib.import_module("torch._dynamo.backends.registry"))


def name_backends(registry: Any) -> None:
    """Have the table of backends under the name `_COMPILER_FNS`, too."""
    if not hasattr(registry, "_COMPILER_FNS"):
        registry._COMPILER_FNS = registry._BACKENDS


def give_frames_a_hook(eval_frame: Any) -> None:
    """Have what sets the callback of frames ask `_maybe_set_eval_frame`, which may be replaced."""
    eval_frame._maybe_set_eval_frame = eval_frame.set_eval_frame
    eval_frame.set_eval_frame = lambda callback: eval_frame._maybe_set_eval_frame(callback)


def give_code_a_hook(graph_lowering: Any) -> None:
    """Have generated code handed to `save_output_code`, which does nothing unless replaced."""
    generate = graph_lowering.codegen

    def codegen(self: Any) -> Any:
        generated = generate(self)
        graph_lowering.save_output_code(generated[0])
        return generated

    graph_lowering.save_output_code = staticmethod(lambda code: None)
    graph_lowering.codegen = codegen
