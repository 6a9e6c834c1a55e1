"""`--engine ray`: Ray tasks decide the cases, on one machine or on many.

`RAY_ADDRESS` names a cluster; without it, Ray starts on this machine. A task asks for a core, the
memory of the case, and its share of a GPU. Ray keeps the processes of its tasks, and each of them
has a zygote of its own for each interpreter. One for the whole node would save a few seconds of
each core and some memory (`benchmarks/README.md` says how much). But then we, not Ray, would have
to place arms on nodes, and a zygote that dies would take all arms of its node with it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.catalog import Catalog
from validators.catalog.frontmatter import DEFAULT_MEMORY
from validators.cluster.node import decide, order_of
from validators.environment import Environment
from validators.environment.any_device import environment_on
from validators.environment.gpu import arms_at_once
from validators.errors import CasebookError
from validators.evidence import write_record
from validators.files import ROOT
from validators.runner.decide import Decision
from validators.runner.plan import Job, Plan, Settings
from validators.runner.run import Decided, Listener, Started

_log = logging.getLogger(__name__)
_MIB = 2**20
_SENT = ("validators", "reference_models")
_CATALOG = Path("playbooks", "catalog")
_NOT_SENT = shutil.ignore_patterns("__pycache__", "real")


@contextlib.contextmanager
def ray_engine(catalog: Path, jobs: int | None) -> Iterator[RayEngine]:
    """The cluster that `RAY_ADDRESS` names, or one with `jobs` cores here, for the block.

    Its nodes get our code and the catalog; they need Ray, our dependencies and the interpreters.

    Raises:
        CasebookError: Ray is not installed, or the cluster does not answer.
    """
    try:
        import ray
    except ImportError:
        message = "--engine ray: Ray is not installed; run `pip install 'ray>=2.9'`"
        raise CasebookError(message) from None
    cluster = {} if os.environ.get("RAY_ADDRESS") else _here(jobs or os.cpu_count() or 1)
    # Its messages, the last ones at its end, would stand in what we print as JSON.
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        _stage(Path(folder), catalog)
        sent = {"working_dir": folder}
        try:
            ray.init(runtime_env=sent, log_to_driver=False, logging_level=logging.ERROR, **cluster)
        except (ConnectionError, RuntimeError, ValueError) as error:
            said = str(error).strip().partition("\n")[0]
            message = f"--engine ray: the cluster does not answer ({said}); check RAY_ADDRESS"
            raise CasebookError(message) from None
        try:
            yield RayEngine(ray)
        finally:
            ray.shutdown()


def _here(cores: int) -> dict[str, Any]:
    """A cluster on this machine that runs as many arms at a time as `--jobs` would without Ray."""
    return {
        "num_cpus": cores,
        "include_dashboard": False,
        # Ray would admit no more arms than could all reach their limits at the same time, and give
        # them what other programs leave of the processor.
        "_memory": cores * DEFAULT_MEMORY * _MIB,
        "_system_config": {"worker_niceness": 0},
    }


def _stage(folder: Path, catalog: Path) -> None:
    """Put into `folder` what nodes need, in the places that records name."""
    for name in _SENT:
        shutil.copytree(ROOT / name, folder / name, ignore=_NOT_SENT)
    shutil.copytree(catalog, folder / _CATALOG, ignore=_NOT_SENT)


class RayEngine:
    """A running cluster."""

    here = False

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.width = 2 * int(ray.cluster_resources().get("CPU", 1))  # so that no core waits
        self._decide = ray.remote(decide)
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        self._most_cores = int(max(node.get("CPU", 1) for node in nodes))
        self._most_memory = int(max(node["memory"] for node in nodes))

    def describe(self, python: str, device: str) -> Environment:
        """The environment of the interpreter on a node; "auto" takes a GPU where there is one."""
        gpus = 1 if device == "cuda" or (device == "auto" and self._has_gpus) else 0
        if gpus and not self._has_gpus:
            raise CasebookError("--device cuda: no node of the cluster has a GPU; use --device cpu")
        there = self._ray.remote(environment_on).options(num_cpus=1, num_gpus=gpus)
        found: Environment = self._get(there.remote(python, device))
        return found

    @property
    def _has_gpus(self) -> bool:
        return bool(self._ray.cluster_resources().get("GPU", 0))

    def run(
        self, catalog: Catalog, plan: Plan, settings: Settings, folder: Path, listener: Listener
    ) -> list[Decided]:
        """Run the jobs in order, as many at a time as the cluster has room for.

        A job whose process or machine is lost is tried once more, and then left undecided with a
        warning; no other job suffers.
        """
        kept, waiting = Kept(folder, listener), iter(plan.jobs)
        pending: dict[Any, Job] = {}
        for left in seconds_left(settings.budget):
            while len(pending) < self.width and (job := next(waiting, None)):
                pending[self._submit(job, settings)] = job
            if not pending:
                break
            done, _ = self._ray.wait(list(pending), num_returns=1, timeout=left)
            if not done:  # the budget is spent
                break
            self._take(done[0], pending.pop(done[0]), kept)
        for reference in pending:
            self._ray.cancel(reference, force=True)
        return kept.decided

    def _submit(self, job: Job, settings: Settings) -> Any:
        meta, sharers = job.case.meta, arms_at_once(job.env.gpu_memory)
        gpus = 0.0
        if job.env.gpu:
            gpus = 1.0 if meta.exclusive else 1 / sharers
        task = self._decide.options(
            # What is timed gets a machine for itself.
            num_cpus=self._most_cores if meta.exclusive else 1,
            num_gpus=gpus,
            # A task that no node has room for would wait forever.
            memory=min(meta.memory * _MIB, self._most_memory),
            max_retries=1,
            name=job.case.name,
        )
        return task.remote(order_of(job, _CATALOG, settings, sharers))

    def _take(self, reference: Any, job: Job, kept: Kept) -> None:
        try:
            kept.keep(job, self._get(reference))
        except self._ray.exceptions.RayError as error:
            said = str(error).strip().partition("\n")[0]
            _log.warning("%s: its process was lost (%s); run it again", job.case.name, said)

    def _get(self, reference: Any) -> Any:
        """What a task returned; an error of ours that it raised is raised here."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None


@dataclass
class Kept:
    """The decisions of a run, each written into `folder` and told to `listener` as it arrives."""

    folder: Path
    listener: Listener

    def __post_init__(self) -> None:
        self.decided: list[Decided] = []

    def keep(self, job: Job, decision: Decision) -> None:
        """Keep what came back; nobody knows when Ray started it."""
        self.listener(Started(job))
        write_record(self.folder, decision.record)
        self.decided.append(event := Decided(job, decision))
        self.listener(event)


def seconds_left(budget: float | None) -> Iterator[float | None]:
    """Yield what is left of a budget each time that one asks; None without a budget."""
    end = None if budget is None else time.monotonic() + budget
    while True:
        yield None if end is None else max(0.0, end - time.monotonic())
