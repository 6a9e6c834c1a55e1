"""What happens on an NVIDIA GPU: CUDA graphs recorded and replayed, and memory.

`observe` loads this module once CUDA is in use, and never otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

_OVERWRITTEN = "of CUDAGraphs that has been overwritten"


class Watch:
    """Counts of CUDA graph activity, and memory in bytes once the watch has ended."""

    def __init__(self) -> None:
        self.recordings = 0
        self.replays = 0
        self.memory: dict[str, int] = {}


def overwritten(message: str) -> bool:
    """Whether an error says that an output was used after a later replay overwrote it."""
    return _OVERWRITTEN in message


@contextmanager
def watching() -> Iterator[Watch]:
    """Count recordings and replays, and measure memory, until the block ends."""
    from torch._inductor.cudagraph_trees import CUDAGraphTreeManager

    watch = Watch()
    if torch.cuda.is_initialized():
        torch.cuda.reset_peak_memory_stats()
    try:
        with (
            counted_calls(CUDAGraphTreeManager, "record_function", watch, "recordings"),
            counted_calls(CUDAGraphTreeManager, "execute_node", watch, "replays"),
        ):
            yield watch
    finally:
        if torch.cuda.is_initialized():
            watch.memory = memory()


@contextmanager
def counted_calls(owner: type, method: str, counts: object, attribute: str) -> Iterator[None]:
    """Add 1 to an attribute of `counts` at every call of a method, until the block ends."""
    real = getattr(owner, method)

    def counted(*args: Any, **kwargs: Any) -> Any:
        setattr(counts, attribute, getattr(counts, attribute) + 1)
        return real(*args, **kwargs)

    setattr(owner, method, counted)
    try:
        yield
    finally:
        setattr(owner, method, real)


def memory() -> dict[str, int]:
    """Peak bytes of the caching allocator, and bytes in use on the device by all processes.

    The allocator does not see what the driver, other processes or libraries hold; the device
    does.
    """
    free, total = torch.cuda.mem_get_info()
    return {
        "cuda_allocated_peak": torch.cuda.max_memory_allocated(),
        "cuda_reserved_peak": torch.cuda.max_memory_reserved(),
        "cuda_device_used": total - free,
    }
