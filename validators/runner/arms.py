"""Run the program of one case: both arms, as often as asked, and the judgement on them."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validators.files import hash_of
from validators.runner.processes.outcome import Broken, Outcome
from validators.runner.processes.workers import Task, Workers
from validators.runner.verdict import objection
from validators.verdicts import ARMS

# The contexts of the arms that share a GPU take the rest of its memory.
_GPU_SHARED = 0.9
PRETENDED = "validators.pretended"
"""What an arm imports where there is no GPU to run on."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """A proof, and what it needs; the fields mean what they mean in a page's front matter.

    If it `takes_turns`, its probes time it alone though other such arms run beside it.
    """

    proof: Path
    env: Mapping[str, dict[str, str]] = field(default_factory=dict)
    always_fresh: bool = False
    exclusive: bool = False
    takes_turns: bool = False
    memory: int
    timeout: float


@dataclass(frozen=True)
class Setting:
    """The workers that run programs, the folders whose modules count as ours, and the limits.

    `slots` admits as many arms at a time as `jobs` says. `timeout` caps every program's own.
    """

    workers: Workers
    roots: Sequence[Path]
    slots: asyncio.Semaphore
    jobs: int = 1
    timeout: float | None = None


class Arms:
    """The arms of a program: the reports of each pair that ran, and the code that they loaded.

    `symptom` is the symptom's last report, which is there even if the remedy broke.
    `invented` is what they asked for that only a GPU has, where there is none.
    `seconds` is the wall time of all arms, `cpu_seconds` their CPU time.
    """

    def __init__(self, program: Program, setting: Setting) -> None:
        self.program, self.setting = program, setting
        self.pairs: list[dict[str, Any]] = []
        self.symptom: dict[str, Any] | None = None
        self.modules: dict[str, str] = {}
        self.invented: list[dict[str, Any]] = []
        self.seconds = self.cpu_seconds = 0.0

    async def run(self, results: Mapping[str, Path], repeats: int = 1) -> None:
        """Run both arms so often; `results` has the file of each arm that keeps its first results.

        Raises:
            Broken: an arm gave no usable report.
        """
        files = [results, *[{}] * (repeats - 1)]
        if self.program.takes_turns:
            self.pairs += await _all(self._pair(it) for it in files)
            return
        for it in files:
            self.pairs.append(await self._pair(it))

    async def _pair(self, results: Mapping[str, Path]) -> dict[str, Any]:
        """The reports of both arms; exclusive arms run one after the other."""
        if self.program.exclusive and not self.program.takes_turns:
            return {arm: await self._arm(arm, results.get(arm)) for arm in ARMS}
        reports = await _all(self._arm(arm, results.get(arm)) for arm in ARMS)
        return dict(zip(ARMS, reports, strict=True))

    async def judged(self, pretend: str = "") -> list[dict[str, bool | None]]:
        """What the proof's `shows` says of the arms of each pair; None: too close to call.

        `pretend` is what hides from it what only a GPU knows, for reports of an arm without one.

        Raises:
            Broken: it says nothing, or the code has changed since.
        """
        done = await self.ask("judge", {"task": "judge", "pairs": self.pairs, "pretend": pretend})
        if done.failure:
            raise Broken(f"shows: {done.failure}", done)
        # A file may also change after both arms have loaded it.
        for file, sha in self.modules.items():
            if hash_of(Path(file)) != sha:
                raise Broken(f"{file} changed while the case ran; run it again", done)
        said: list[dict[str, bool | None]] = done.result["shows"]
        return said

    async def symptom_shows(self) -> bool:
        """Whether the proof's `shows` is true of the symptom alone; not if it breaks."""
        done = await self.ask("judge", {"task": "judge", "pairs": [{"symptom": self.symptom}]})
        return not done.failure and done.result["shows"][0]["symptom"] is True

    async def ask(self, arm: str, request: dict[str, Any]) -> Outcome:
        """What a worker answers about an arm of the program."""
        program, setting = self.program, self.setting
        task = Task(
            {
                **request,
                "proof": str(program.proof.resolve()),
                "device": setting.workers.env.device,
                "pretend": PRETENDED if setting.workers.env.board else request.get("pretend", ""),
                "memory": program.memory,
                "gpu_share": 1.0 if program.exclusive else _GPU_SHARED / setting.jobs,
                "turns": str(setting.workers.directory) if program.takes_turns else "",
                "roots": [str(root) for root in setting.roots],
            },
            timeout=self._timeout(),
            fresh=program.always_fresh and arm != "judge",
            variables=program.env.get(arm, {}),
        )
        # A judgement takes milliseconds and hardly any memory, so it needs no slot.
        async with contextlib.AsyncExitStack() as stack:
            if arm != "judge":
                await stack.enter_async_context(setting.slots)
            return await setting.workers.run(task)

    def _timeout(self) -> float:
        """The time limit of one arm in seconds; whoever takes turns also waits for the others."""
        program, setting = self.program, self.setting
        waits = setting.jobs if program.takes_turns else 1
        return min(program.timeout * waits, setting.timeout or math.inf)

    async def _arm(self, arm: str, results: Path | None) -> dict[str, Any]:
        done = await self.ask(arm, {"task": "arm", "arm": arm, "results": str(results or "")})
        self.cpu_seconds += done.cpu_seconds
        if done.failure:
            raise Broken(f"the {arm}: {done.failure}", done)
        self.seconds += done.seconds
        self._note_code(done)
        self.invented += done.result["invented"]
        report: dict[str, Any] = done.result["report"]
        if reason := objection(arm, report):
            raise Broken(reason, done)
        if arm == "symptom":
            self.symptom = report
        return report

    def _note_code(self, done: Outcome) -> None:
        """Note which code an arm ran; refuse another torch, and code that has changed meanwhile."""
        if done.result["torch"] != self.setting.workers.env.fingerprint.torch:
            raise Broken(f"torch {done.result['torch']} was imported; fix the environment", done)
        for file, sha in done.result["modules"].items():
            if self.modules.setdefault(file, sha) != sha:
                raise Broken(f"{file} changed while the case ran; run it again", done)


async def _all(tasks: Iterable[Awaitable[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What all tasks return; they run beside each other, and all end before one's error is raised.

    An error that ends the whole run takes precedence over one that broke an arm.
    """
    done = await asyncio.gather(*tasks, return_exceptions=True)
    failures = [it for it in done if isinstance(it, BaseException)]
    for failure in sorted(failures, key=lambda it: isinstance(it, Broken)):
        raise failure
    return [it for it in done if not isinstance(it, BaseException)]
