"""What programs ask `torch.cuda` itself: times, memory, recordings."""

from __future__ import annotations

from typing import Any

import torch

from validators.pretended.invented import CLOCK, MEMORY, REPLAY, Invented

_REFUSED = {
    MEMORY: (
        "mem_get_info",
        "memory_allocated",
        "max_memory_allocated",
        "memory_reserved",
        "max_memory_reserved",
        "memory_stats",
        "memory_stats_as_nested_dict",
        "memory_snapshot",
    ),
    REPLAY: ("CUDAGraph", "graph", "make_graphed_callables"),
}
_HARMLESS = (
    "reset_peak_memory_stats",
    "empty_cache",
    "ipc_collect",
    "set_per_process_memory_fraction",
)
"""What frees or limits memory; there is none."""


def install(invented: Invented) -> None:
    """Refuse and keep the questions that only a GPU answers."""
    for kind, names in _REFUSED.items():
        for name in names:
            for owner in (torch.cuda, torch.cuda.memory, torch.cuda.graphs):
                if hasattr(owner, name):
                    _refuse(invented, kind, owner, name, f"torch.cuda.{name}")
    _refuse(invented, CLOCK, torch.cuda.Event, "elapsed_time", "torch.cuda.Event.elapsed_time")
    for name in _HARMLESS:
        setattr(torch.cuda, name, lambda *_, **__: None)


def _refuse(invented: Invented, kind: str, owner: Any, name: str, what: str) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        invented.refuse(kind, what)

    setattr(owner, name, refused)
