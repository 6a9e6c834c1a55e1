"""Ask workers about targets, each question in a process of its own."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from validators.diagnose.findings.finding import Part
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.runner.processes.event_loop import EventLoop
from validators.runner.processes.outcome import DIED, LATE, Outcome
from validators.runner.processes.supervisor import adopt_orphans, end_orphans
from validators.runner.processes.workers import Task, Workers

if TYPE_CHECKING:
    from typing import Self  # Python 3.10, which skills promise, has none.

Answer = TypeVar("Answer")


class Watch(Protocol):
    """Hears of each question that is asked, and of its answer."""

    def begun(self, name: str) -> None:
        """A question has been asked."""

    def ended(self, part: Part) -> None:
        """A question has been answered."""


_STEPS = {"imported": "importing", "called": "calling"}
"""The steps of a worker before the target has made calls."""
_MODULE = "validators.inspector.diagnosis"
_MORE_TIME = "give it more time with --timeout"


class Asking:
    """Questions to the workers of one interpreter, which share a cache of compiled code."""

    def __init__(
        self,
        workers: Workers,
        options: dict[str, Any],
        timeout: float,
        watch: Watch | None = None,
    ) -> None:
        self.workers, self.options, self.timeout, self.watch = workers, options, timeout, watch
        self.cache = workers.directory / "cache"
        self.cache.mkdir()
        self._asked = 0
        self._loaded: set[str] = set()

    async def ask(
        self,
        spec: Spec,
        part: str,
        recording: str = "",
        trace: str = "",
        more: dict[str, Any] | None = None,
    ) -> Outcome:
        """What one part of a diagnosis finds out about `spec`.

        `recording` is the file of the calls to record or to replay, if any, and `trace` the folder
        that gets torch's structured trace. `more` adds to the request, or replaces parts of it.

        Raises:
            CasebookError: the target cannot be used.
        """
        self._asked += 1
        step = self.workers.directory / f"step-{self._asked}"
        request = {
            "task": "diagnose",
            "module": _MODULE,
            "step": str(step),
            "part": part,
            "target": str(spec),
            "folder": str(spec.folder),
            "paths": list(spec.paths),
            "compile": self.options,
            "cache": str(self.cache),
            "recording": recording,
            "trace": trace,
            "device": self.workers.env.device,
            "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20,
            **(more or {}),
        }
        name = masked(f"{spec}, {part}", spec.folder)
        if self.watch:
            self.watch.begun(name)
        done = await self.workers.run(Task(request, self.timeout))
        if self.watch:
            self.watch.ended(Part(name, done.seconds, done.failure, {}))
        if sentence := done.result.get("unusable"):
            raise CasebookError(masked(sentence, spec.folder))
        did = step.read_text(encoding="utf-8") if done.failure and step.is_file() else ""
        # What a factory did once, it can do again.
        if str(spec) not in self._loaded and (sentence := of_factory(did, done.failure)):
            raise CasebookError(masked(sentence, spec.folder))
        self._loaded.add(str(spec))
        return replace(done, failure=of_part(did, done.failure)) if did else done


def of_factory(did: str, failure: str) -> str:
    """What to tell of a target that ends its process before it has made calls, "" if it made them.

    `did` is the step that the process was at, `failure` how it ended.
    """
    began, _, place = did.partition(" ")
    if began not in _STEPS:
        return ""
    if failure.startswith(LATE):
        return f"{place}: {_STEPS[began]} it {failure}; {_MORE_TIME}, or have it do less"
    return f"{place}: {_STEPS[began]} it ends its process, which {failure}; fix that first"


def of_part(did: str, failure: str) -> str:
    """How a part ended that was at the step `did`, and what to do about it."""
    if failure.startswith(LATE):
        return f"{failure}, while it {did}; {_MORE_TIME}"
    if failure.startswith(DIED):
        return f"{failure}, while it {did}; see whether they end it without compiling, too"
    return f"{failure}, while it {did}"


class Session:
    """Workers that answer several rounds of questions, started once; a context manager.

    No process is left when it ends.
    """

    def __init__(
        self,
        env: Environment,
        options: dict[str, Any],
        timeout: float,
        variables: dict[str, str] | None = None,
        watch: Watch | None = None,
    ) -> None:
        """With `variables` for its interpreter, each question gets an interpreter of its own."""
        self._workers = Workers(env, "fresh" if variables else "fork", variables)
        self._given = options, timeout, watch

    def __enter__(self) -> Self:
        """Make the folder; nothing starts before the first question."""
        adopt_orphans()
        self._stack = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            stack.callback(end_orphans)
            runner = stack.enter_context(EventLoop())
            workers = runner.run(self._workers.__aenter__())
            stack.callback(lambda: runner.run(self._workers.__aexit__()))
            self._runner, self._asking = runner, Asking(workers, *self._given)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the workers and remove what they wrote."""
        self._stack.close()

    def ask(self, questions: Callable[[Asking], Coroutine[Any, Any, Answer]]) -> Answer:
        """What `questions` returns."""
        return self._runner.run(questions(self._asking))


def ask_all(
    env: Environment,
    options: dict[str, Any],
    timeout: float,
    questions: Callable[[Asking], Coroutine[Any, Any, Answer]],
    watch: Watch | None = None,
) -> Answer:
    """What `questions` returns; no process is left when it ends."""
    with Session(env, options, timeout, watch=watch) as session:
        return session.ask(questions)
