"""An engine runs the jobs of a plan: on this machine, or on the nodes of a cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from validators.catalog import Catalog
from validators.environment import Environment
from validators.environment.any_device import environment_on
from validators.runner.plan import Plan, Settings
from validators.runner.run import Decided, Listener, run_plan

ENGINES = ("local", "ray")


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


@contextlib.contextmanager
def opened(name: str, catalog: Path, jobs: int | None) -> Iterator[Engine]:
    """Start the engine of a name for the block; `jobs` at a time, if not None.

    Raises:
        CasebookError: it is not installed, or cannot be reached.
    """
    if name == "ray":
        from validators.cluster.ray_engine import ray_engine

        with ray_engine(catalog, jobs) as engine:
            yield engine
    else:
        yield Local()
