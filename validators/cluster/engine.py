"""An engine runs the jobs of a plan: on this machine, or on those of a scheduler."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from validators.catalog import Catalog
from validators.environment import Environment
from validators.environment.any_device import environment_on
from validators.evidence import write_record
from validators.runner.decide import Decision
from validators.runner.plan import Job, Plan, Settings
from validators.runner.run import Decided, Listener, Started, run_plan


class Engine(Protocol):
    """Where arms run; `width` is how many jobs run at a time if nobody says, 0 for what fits.

    `here` says whether arms are children of this process, whose CPU time includes theirs.
    """

    width: int
    here: bool

    def describe(self, python: str, device: str) -> Environment:
        """The environment of an interpreter where arms run; as `environment_on`."""

    def run(
        self, catalog: Catalog, plan: Plan, settings: Settings, folder: Path, listener: Listener
    ) -> list[Decided]:
        """Run all jobs of `plan`; as `run_plan`."""


class Local:
    """This machine."""

    width, here = 0, True

    def describe(self, python: str, device: str) -> Environment:
        """As `environment_on`."""
        return environment_on(python, device)

    def run(
        self, catalog: Catalog, plan: Plan, settings: Settings, folder: Path, listener: Listener
    ) -> list[Decided]:
        """As `run_plan`."""
        return run_plan(catalog, plan, settings, folder, listener)


@dataclass
class Kept:
    """The decisions of a run, each written into `folder` and told to `listener` as it arrives."""

    folder: Path
    listener: Listener

    def __post_init__(self) -> None:
        self.decided: list[Decided] = []

    def keep(self, job: Job, decision: Decision) -> None:
        """Keep what came back; nobody knows when the scheduler started it."""
        self.listener(Started(job))
        write_record(self.folder, decision.record)
        self.decided.append(event := Decided(job, decision))
        self.listener(event)


def seconds_left(budget: float | None) -> Iterator[float | None]:
    """What is left of a budget each time that one asks; None without a budget."""
    end = None if budget is None else time.monotonic() + budget
    while True:
        yield None if end is None else max(0.0, end - time.monotonic())
