"""Processes on Linux: which end together, and what a dead one leaves behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Collection
from pathlib import Path

DUMP_SECONDS = 0.5
"""How long a process may take to write its stacks before it is killed."""

# A resource tracker cleans up within milliseconds, unless a process that it serves is alive.
_TRACKER_SECONDS = 1.0
# A process may hang in the kernel, on a dead network disk for example.
_UNKILLABLE_SECONDS = 5.0

# Only Linux has this file, and kernels can be built without it.
_LISTS_CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children").exists()
_STARTED = time.time()
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


def tell_when_parent_ends(signal_number: int) -> None:
    """Have the kernel send this process a signal when its parent ends."""
    _prctl(_SET_PDEATHSIG, signal_number)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, so that they can be killed."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def children(process: int | str = "self") -> set[int]:
    """The ids of a process's children; empty where /proc does not list them."""
    found: set[int] = set()
    # A process may end at any moment, its threads too; globbing would raise then.
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):
                found.update(map(int, (task / "children").read_text().split()))
    return found


def children_in_session() -> set[int]:
    """The ids of this process's children that are in its own session: it started them itself."""
    found, session = set(), os.getsid(0)
    for child in children():
        with contextlib.suppress(OSError):
            if os.getsid(child) == session:
                found.add(child)
    return found


def descendants(process: int) -> set[int]:
    """The ids of `process` and of everything below it."""
    found, new = set(), {process}
    while new:
        found |= new
        new = set().union(*(children(child) for child in new)) - found
    return found


def kill(process: int) -> None:
    """Kill one process, if it is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)


def end_group(leader: int) -> None:
    """Kill the group that a process led, if `end_children` cannot find its members."""
    if not _LISTS_CHILDREN:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def end_children(keep: Collection[int]) -> None:
    """Kill and reap every child of this process but `keep`, and the orphans that they leave.

    Call `adopt_orphans` first, or these orphans escape. Python's resource trackers get a moment:
    once all other processes are gone, they remove the shared memory that those left.
    """
    begun = time.monotonic()
    while orphans := children() - set(keep):
        waited = time.monotonic() - begun
        for orphan in orphans:
            if waited > _TRACKER_SECONDS or not _tracks_resources(orphan):
                kill(orphan)
            with contextlib.suppress(ChildProcessError):
                if os.waitpid(orphan, os.WNOHANG)[0]:
                    remove_shared_memory(orphan)
        if waited > _UNKILLABLE_SECONDS:
            break
        time.sleep(0.002)


def _tracks_resources(process: int) -> bool:
    try:
        return b"resource_tracker" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def private_memory(process: int) -> int:
    """Bytes of anonymous and shared memory of `process` and its descendants.

    The size of a page that several processes share is divided between them.
    """
    return sum(_figures(p, "smaps_rollup", ("Pss_Anon", "Pss_Shmem")) for p in descendants(process))


def resident_memory(process: int) -> int:
    """At least `private_memory`, and cheaper to read: a shared page counts in full each time."""
    return sum(_figures(p, "status", ("RssAnon", "RssShmem")) for p in descendants(process))


def _figures(process: int, file: str, names: Collection[str]) -> int:
    """The sum of some lines of a file in /proc, in bytes; 0 where it cannot be read."""
    try:
        text = Path(f"/proc/{process}/{file}").read_text(errors="replace")
    except OSError:
        return 0
    fields = [line.partition(":") for line in text.splitlines()]
    return sum(int(value.split()[0]) * 1024 for name, _, value in fields if name in names)


def volunteer() -> None:
    """When memory runs out, be what the kernel kills first, before runner and supervisors."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def limit_memory(mebibytes: int) -> None:
    """Make allocations beyond `mebibytes` of private memory fail.

    RLIMIT_AS cannot serve for this: a CUDA build of torch maps gigabytes at import.
    """
    size = mebibytes * 1024 * 1024
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def remove_shared_memory(process: int) -> None:
    """Remove the shared-memory files that torch made in a process that was killed.

    Another container that shares /dev/shm may have a process of that id, with files of its own.
    """
    for segment in Path("/dev/shm").glob(f"torch_{process}_*"):
        with contextlib.suppress(OSError):
            status = segment.stat()
            if status.st_uid == os.getuid() and status.st_ctime >= _STARTED:
                segment.unlink()
