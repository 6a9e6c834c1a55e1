"""A process that starts arms for the runner, watches them, and leaves nothing of them behind.

As a *zygote* it imports torch once and forks a child per arm. It stays single-threaded, runs no op
and never initializes CUDA, so its children can do all of these. Arms that need an interpreter of
their own are spawned. The runner sends each order as one JSON line over a Unix socket; `run` also
passes two descriptors.

    -> {"run": ID, "directory": PATH, "fresh": BOOL} + output pipe + result pipe
    -> {"stop": ID}  dump the stacks, then kill
                     <- {"forks": BOOL, "broken": TEXT}  once; whether it is a zygote, or why
                                                         torch cannot be imported
                     <- {"ended": ID, "status": N, "over": BOOL, "cpu_seconds": S}
                                                         over: above its memory limit
                     <- {"ended": ID, "unstarted": TEXT}  why no process could be started
"""

from __future__ import annotations

import contextlib
import gc
import importlib
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.worker import process, warm
from validators.worker.arm import perform, prepare
from validators.worker.user_code import sentence

_FAREWELL_SECONDS = 1.0
_WATCH_SECONDS = 0.2
"""How often the memory of the arms is checked."""


def serve(descriptor: int, run_directory: Path, zygote: bool) -> None:
    """Serve the runner at the other end of socket `descriptor` until it is gone.

    A runner that is killed hangs up, too; then this process removes the runner's folder.
    """
    process.adopt_orphans()
    control = socket.socket(fileno=descriptor)
    supervisor = _Supervisor(control, run_directory)
    # Importing torch takes seconds, in which this process would not notice a killed runner.
    signal.signal(signal.SIGTERM, supervisor.leave)
    process.tell_when_parent_ends(signal.SIGTERM)
    # A child that held it open would keep the runner from seeing this process end.
    control.set_inheritable(False)
    # OpenBLAS starts threads when numpy is imported, and a zygote must have only one.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    broken, spoiler = _import_torch(run_directory) if zygote else ("", "")
    os.environ.pop("OPENBLAS_NUM_THREADS")
    forks = zygote and not broken and _can_fork()
    supervisor.run({"forks": forks, "broken": broken, "spoiler": spoiler})


def _import_torch(run_directory: Path) -> tuple[str, str]:
    """Import torch and prepare what every arm needs.

    Returns why torch fails to import, or "", and the name of the step after which forking was not
    safe, or "".
    """
    # Modules stay alive: searching them for garbage again and again takes a third of the time.
    gc.disable()
    try:
        with _bytecode_written():
            importlib.import_module("torch")
    except Exception as error:
        return sentence(error), ""
    with _known_gpus(), _bytecode_written():
        for name, step in warm.steps(Path(__file__).parents[2]):
            with contextlib.suppress(Exception):
                step()
            if not _can_fork():
                return "", name
    prepare()
    if not warm.headers_ready():
        _in_child(lambda: warm.precompile_headers(run_directory))
    # Children share these pages as long as no collection walks over them.
    gc.freeze()
    gc.enable()
    return "", ""


@contextlib.contextmanager
def _bytecode_written() -> Iterator[None]:
    """Have Python keep what it compiles in the block next to its source, as it does by default.

    Some installers leave that to the first import, and each fresh arm would compile all of torch.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


@contextlib.contextmanager
def _known_gpus() -> Iterator[None]:
    """Have modules that ask torch at import how many GPUs there are get the answer of a child.

    Where torch cannot ask NVML it asks the driver, which starts a thread.
    """
    cuda = sys.modules["torch"].cuda
    told, answer = os.pipe()
    _in_child(lambda: os.write(answer, b"%d" % cuda.device_count()))
    os.close(answer)
    with os.fdopen(told) as pipe:
        gpus = int(pipe.read() or 0)
    asked = cuda.is_available, cuda.device_count
    cuda.is_available, cuda.device_count = lambda: gpus > 0, lambda: gpus
    try:
        yield
    finally:
        cuda.is_available, cuda.device_count = asked


def _can_fork() -> bool:
    """Whether forking is safe: there is one thread, and CUDA is not initialized."""
    tasks = Path("/proc/self/task")
    threads = len(list(tasks.iterdir())) if tasks.is_dir() else threading.active_count()
    return threads == 1 and not sys.modules["torch"].cuda.is_initialized()


@dataclass
class _Arm:
    """A running arm: the runner's number for it, its limit in bytes (0: none), its deadline."""

    number: int
    memory: int
    deadline: float = float("inf")
    over: bool = False


class _Supervisor:
    """The loop: orders come in, children go out."""

    def __init__(self, control: socket.socket, run_directory: Path) -> None:
        self.control = control
        self.run_directory = run_directory
        self.runner = os.getppid()
        self.environment = {**os.environ}
        self.arms: dict[int, _Arm] = {}
        self.buffer = b""
        self.descriptors: list[int] = []
        self.next_watch = 0.0

    def run(self, greeting: dict[str, Any]) -> None:
        """Serve until the runner closes its end; then leave nothing of ours behind."""
        self.wakeup, wakeup_end = os.pipe()
        os.set_blocking(wakeup_end, False)
        os.set_blocking(self.wakeup, False)
        signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # The runner decides what a terminal's Ctrl-C means.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.inherited = (self.control.fileno(), self.wakeup, wakeup_end)
        self._say(greeting)
        while self._wait():
            self._reap()
            self._kill_overdue()
            self._watch_memory()
        # A live runner that hangs up also sends SIGTERM; when a runner dies, the kernel does.
        time.sleep(_FAREWELL_SECONDS)
        self.leave()

    def leave(self, *_: object) -> None:
        """End all arms, remove the folder of a runner that is gone, and exit; never returns."""
        for pid in self.arms:
            process.kill(pid)
            process.end_group(pid)
        process.end_children(keep=())
        if os.getppid() != self.runner:
            shutil.rmtree(self.run_directory, ignore_errors=True)
        os._exit(0)

    def _wait(self) -> bool:
        """Wait for an order, a child's end or a deadline; False when the runner is gone."""
        control = self.control.fileno()
        ready, _, _ = select.select([control, self.wakeup], [], [], self._patience())
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

    def _patience(self) -> float | None:
        """Seconds until a deadline or a check of memory; None if nothing is due."""
        moments = [arm.deadline for arm in self.arms.values()]
        if any(arm.memory for arm in self.arms.values()):
            moments.append(self.next_watch)
        first = min(moments, default=float("inf"))
        return None if first == float("inf") else max(0.0, first - time.monotonic())

    def _obey(self, order: dict[str, Any]) -> None:
        if "run" in order:
            self._start(order["run"], Path(order["directory"]), order["fresh"])
        elif "stop" in order:
            for pid, arm in self.arms.items():
                if arm.number == order["stop"]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGUSR1)
                    arm.deadline = time.monotonic() + process.DUMP_SECONDS

    def _start(self, number: int, directory: Path, fresh: bool) -> None:
        output, result = self.descriptors[:2]
        del self.descriptors[:2]
        request = json.loads((directory / "request.json").read_text())
        start = self._spawn if fresh else self._fork
        try:
            pid = start(request, directory, output, result)
            self.arms[pid] = _Arm(number, request["memory"] * 1024 * 1024)
        except OSError as error:
            self._say({"ended": number, "unstarted": error.strerror})
        os.close(output)
        os.close(result)

    def _fork(self, request: dict[str, Any], directory: Path, output: int, result: int) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            for descriptor in (*self.inherited, *self.descriptors):
                os.close(descriptor)
            _become_arm(parent, request, directory, output, result)
        return pid

    def _spawn(self, request: dict[str, Any], directory: Path, output: int, result: int) -> int:
        """Start a new interpreter, in the environment variables that this one started with."""
        for descriptor in (output, result, *self.descriptors):
            os.set_inheritable(descriptor, False)
        # A new number: a descriptor that is copied onto itself may not be inherited.
        target = max(output, result) + 1
        command = [sys.executable, sys.argv[0], "arm", str(target), str(directory)]
        return os.posix_spawn(
            sys.executable,
            [*command, str(os.getpid())],
            {**self.environment, **request["variables"]},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, output, 1),
                (os.POSIX_SPAWN_DUP2, output, 2),
                (os.POSIX_SPAWN_DUP2, result, target),
            ],
            setsid=True,
            setsigdef=[signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ],
        )

    def _reap(self) -> None:
        """Reap the arms that ended, and end all that they left running."""
        ended = []
        for pid in list(self.arms):
            finished, status, usage = os.wait4(pid, os.WNOHANG)
            if finished:
                process.end_group(pid)
                process.remove_shared_memory(pid)
                # Of the process and of all that it waited for, such as compilers.
                cpu_seconds = usage.ru_utime + usage.ru_stime
                ended.append((self.arms.pop(pid), status, cpu_seconds))
        # An arm adopts its own orphans, so any other child of this process has lost its arm.
        process.end_children(keep=self.arms)
        for arm, status, cpu_seconds in ended:
            end = {"status": status, "over": arm.over, "cpu_seconds": cpu_seconds}
            self._say({"ended": arm.number, **end})

    def _kill_overdue(self) -> None:
        now = time.monotonic()
        for pid, arm in self.arms.items():
            if now >= arm.deadline:
                process.kill(pid)
                arm.deadline = float("inf")

    def _watch_memory(self) -> None:
        """Kill arms that exceed their limit with memory that no resource limit covers."""
        now = time.monotonic()
        if now < self.next_watch:
            return
        self.next_watch = now + _WATCH_SECONDS
        for pid, arm in self.arms.items():
            if arm.memory and process.resident_memory(pid) > arm.memory:
                arm.over = process.private_memory(pid) > arm.memory
                if arm.over:
                    process.kill(pid)

    def _say(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            self.control.sendall(json.dumps(message).encode() + b"\n")


def _become_arm(
    parent: int, request: dict[str, Any], directory: Path, output: int, result: int
) -> None:
    """In the forked child: detach from the zygote and run the request; never returns."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        process.die_with_parent(parent)
        warm.enter(directory)
        perform(request, result)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(70)


def _in_child(function: Callable[[], object]) -> None:
    """Run a function in a forked child and wait for it, so that this process stays as it is."""
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        process.die_with_parent(parent)
        with contextlib.suppress(BaseException):
            function()
        os._exit(0)
    os.waitpid(pid, 0)
