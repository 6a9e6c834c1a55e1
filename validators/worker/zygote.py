"""A process that imports torch once and forks a child per arm.

It stays single-threaded, runs no op and never initializes CUDA, so that its children may do all
of it. The runner sends one JSON line per order over a Unix socket; `run` brings two descriptors.

    -> {"run": ID, "directory": PATH} + output pipe + result pipe
    -> {"stop": ID}  dump the stacks, then kill
                                          <- {"ready": BOOL}  once; whether it can fork
                                          <- {"ended": ID, "status": N}
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from validators.worker import process, warm
from validators.worker.arm import perform


def serve(descriptor: int, run_directory: Path) -> None:
    """Serve the runner at the other end of socket `descriptor` until it is gone.

    A runner that is killed hangs up too, and then this process still has its folder to remove.
    """
    process.adopt_orphans()
    control = socket.socket(fileno=descriptor)
    warm.preload()
    os.environ.pop("OPENBLAS_NUM_THREADS", None)
    warm.probe_toolchain()
    if not warm.headers_ready():
        _in_child(warm.precompile_headers)
    # Children share these pages as long as no collection walks over them.
    gc.collect()
    gc.freeze()
    _Zygote(control, run_directory).run(forkable=_can_fork())


def _can_fork() -> bool:
    """Whether children may do everything: one thread, and CUDA not initialized."""
    tasks = Path("/proc/self/task")
    threads = len(list(tasks.iterdir())) if tasks.is_dir() else threading.active_count()
    return threads == 1 and not sys.modules["torch"].cuda.is_initialized()


class _Zygote:
    """The loop: orders come in, children go out."""

    def __init__(self, control: socket.socket, run_directory: Path) -> None:
        self.control = control
        self.run_directory = run_directory
        self.arms: dict[int, int] = {}
        self.deadlines: dict[int, float] = {}
        self.buffer = b""
        self.descriptors: list[int] = []

    def run(self, forkable: bool) -> None:
        """Serve until the runner closes its end; then nothing of ours is left."""
        self.wakeup, wakeup_end = os.pipe()
        os.set_blocking(wakeup_end, False)
        os.set_blocking(self.wakeup, False)
        signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # The runner decides what a terminal's Ctrl-C means.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.inherited = (self.control.fileno(), self.wakeup, wakeup_end)
        self._say({"ready": forkable})
        while self._wait():
            self._reap()
            self._kill_overdue()
        self._leave()

    def _wait(self) -> bool:
        """Wait for an order, a child's end or a deadline; False when the runner is gone."""
        now = time.monotonic()
        timeout = max(0.0, min(self.deadlines.values()) - now) if self.deadlines else None
        control = self.control.fileno()
        ready, _, _ = select.select([control, self.wakeup], [], [], timeout)
        if self.wakeup in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self.wakeup, 4096)
        if control not in ready:
            return True
        try:
            data, descriptors, _, _ = socket.recv_fds(self.control, 65536, 16)
        except ConnectionError:
            return False
        self.descriptors += descriptors
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            self._obey(json.loads(line))
        return bool(data)

    def _obey(self, order: dict[str, object]) -> None:
        if "run" in order:
            self._fork(int(str(order["run"])), Path(str(order["directory"])))
        elif "stop" in order:
            for pid, arm in self.arms.items():
                if arm == order["stop"]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGUSR1)
                    self.deadlines[pid] = time.monotonic() + process.DUMP_SECONDS

    def _fork(self, arm: int, directory: Path) -> None:
        output, result = self.descriptors[:2]
        del self.descriptors[:2]
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            for descriptor in self.inherited:
                os.close(descriptor)
            _become_arm(parent, directory, output, result)
        self.arms[pid] = arm
        os.close(output)
        os.close(result)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            arm = self.arms.pop(pid, None)
            self.deadlines.pop(pid, None)
            if arm is not None:
                process.kill_group(pid)
                process.remove_shared_memory(pid)
                self._say({"ended": arm, "status": status})
        # What is left beside the arms are orphans that arms put into sessions of their own. While
        # an arm runs, one of them may be its helper.
        if not self.arms:
            for orphan in process.children():
                process.kill(orphan)

    def _kill_overdue(self) -> None:
        now = time.monotonic()
        for pid, deadline in list(self.deadlines.items()):
            if now >= deadline:
                process.kill_group(pid)
                process.kill(pid)
                del self.deadlines[pid]

    def _say(self, message: dict[str, object]) -> None:
        with contextlib.suppress(OSError):
            self.control.sendall(json.dumps(message).encode() + b"\n")

    def _leave(self) -> None:
        """The runner is gone: kill what runs, remove what it wrote."""
        for _ in range(20):
            for pid in process.children():
                process.kill_group(pid)
                process.kill(pid)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            if not process.children():
                break
            time.sleep(0.05)
        for pid in self.arms:
            process.remove_shared_memory(pid)
        shutil.rmtree(self.run_directory, ignore_errors=True)
        os._exit(0)


def _become_arm(parent: int, directory: Path, output: int, result: int) -> None:
    """In the forked child: leave the zygote behind and run the request; never returns."""
    try:
        os.setsid()
        process.die_with_parent(parent)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        request = json.loads((directory / "request.json").read_text())
        warm.enter(directory)
        perform(request, result)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(70)


def _in_child(function: Callable[[], None]) -> None:
    """Run a function in a forked child and wait for it, so that this process stays as it is."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            function()
        os._exit(0)
    os.waitpid(pid, 0)
