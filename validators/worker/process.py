"""Processes on Linux: who dies with whom, and what a dead one leaves behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

DUMP_SECONDS = 0.5
"""How long a process that is to be killed may take to write its stacks."""

_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its `parent` (a process id) ends."""
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, so that they can be killed."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def children() -> set[int]:
    """The ids of this process's children; empty where /proc does not tell."""
    found: set[int] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found.update(map(int, task.read_text().split()))
    return found


def kill_group(leader: int) -> None:
    """Kill every process of the group that `leader` leads or led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def kill(process: int) -> None:
    """Kill one process, if it is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)


def volunteer() -> None:
    """Be the kernel's first victim when memory runs out, before the runner and its zygotes."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def limit_memory(mebibytes: int) -> None:
    """Let allocations beyond `mebibytes` of private memory fail.

    RLIMIT_AS is no use: a CUDA build of torch maps gigabytes while it is imported.
    """
    size = mebibytes * 1024 * 1024
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def remove_shared_memory(process: int) -> None:
    """Remove the shared-memory files that torch made in a process that was killed."""
    for segment in Path("/dev/shm").glob(f"torch_{process}_*"):
        with contextlib.suppress(OSError):
            segment.unlink()
