"""What happens on an NVIDIA GPU: CUDA graphs recorded and replayed, peak memory, event times.

`observe` loads this module once CUDA is in use, and never otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from validators.probes.observation import Arguments
from validators.probes.report import Report

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
    """Peak bytes of the caching allocator, and bytes in use on the device by everybody.

    The allocator does not see what the driver, other processes or libraries hold; the device
    does.
    """
    free, total = torch.cuda.mem_get_info()
    return {
        "cuda_allocated_peak": torch.cuda.max_memory_allocated(),
        "cuda_reserved_peak": torch.cuda.max_memory_reserved(),
        "cuda_device_used": total - free,
    }


def event_times(
    target: Callable[..., Any],
    args: tuple[Any, ...] | Arguments,
    *,
    repeats: int = 20,
    warmups: int = 3,
    **options: Any,
) -> Report:
    """Time calls on the GPU with CUDA events, after observing the warm-up calls.

    The report is `observe`'s over `warmups` calls (`options` go there, `compile=` included), with
    `times["cuda"]`: seconds between two events around each of `repeats` calls. Three warm-ups
    reach replay under CUDA graphs: the first compiles and warms up, the second records.
    """
    from validators.probes.timing import observed_then

    return observed_then("cuda", _event_time, target, args, warmups, repeats, options)


def _event_time(compiled: Callable[..., Any], item: Arguments) -> float:
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    start.record()
    compiled(*item.args, **item.kwargs)
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1000
