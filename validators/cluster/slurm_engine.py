"""`--engine slurm`: Slurm jobs decide the cases, through submitit.

Each of the jobs decides its part of the cases one after another, and writes down each decision at
once. Nodes see this checkout and the interpreters through the cluster's file system. On a machine
without Slurm, submitit runs the jobs as processes.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from validators.catalog import Catalog
from validators.cluster.engine import Kept, seconds_left
from validators.cluster.node import Order, decide, order_of
from validators.environment import Environment
from validators.environment.any_device import environment_on
from validators.environment.gpu import arms_at_once
from validators.errors import CasebookError
from validators.runner.plan import Job, Plan, Settings
from validators.runner.run import Decided, Listener

_log = logging.getLogger(__name__)
_POLL_SECONDS = 1.0


@contextlib.contextmanager
def slurm_engine(shared: Path) -> Iterator[SlurmEngine]:
    """Slurm for the block; submitit keeps its files in a folder in `shared` that all nodes see.

    Raises:
        CasebookError: submitit is not installed.
    """
    try:
        import submitit
    except ImportError:
        message = "--engine slurm: submitit is not installed; run `pip install submitit`"
        raise CasebookError(message) from None
    shared.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="slurm-", dir=shared) as folder:
        yield SlurmEngine(submitit, Path(folder))


class SlurmEngine:
    """Submits jobs; `width` is left to `--jobs`."""

    width, here = 0, False

    def __init__(self, submitit: Any, folder: Path) -> None:
        self._submitit, self._folder = submitit, folder
        self._errors = (submitit.core.utils.FailedJobError, submitit.core.utils.UncompletedJobError)

    def describe(self, python: str, device: str) -> Environment:
        """The environment of the interpreter on a node."""
        job = self._executor(gpus_per_node=int(device == "cuda")).submit(
            environment_on, python, device
        )
        try:
            found: Environment = job.result()
        except self._errors as error:
            message = f"--engine slurm: a node cannot use {python} ({_last_line(error)})"
            raise CasebookError(f"{message}; name an interpreter that nodes see") from None
        return found

    def run(
        self, catalog: Catalog, plan: Plan, settings: Settings, folder: Path, listener: Listener
    ) -> list[Decided]:
        """Run the jobs of the plan in `settings.jobs` parts.

        If a part dies, the case that it was deciding stays undecided with a warning, and another
        job goes on with the rest of the part.
        """
        run = _Run(self, plan, Kept(folder, listener), self._folder / "decisions")
        orders = _orders(catalog, plan, settings)
        for part in _parts(plan.jobs, settings.jobs):
            run.submit({number: orders[number] for number in part})
        try:
            for left in seconds_left(settings.budget):
                if not run.collected() or left == 0:
                    break
                time.sleep(_POLL_SECONDS)
        finally:
            run.cancel()
        return run.kept.decided

    def submit(self, orders: Mapping[int, Order], jobs: Sequence[Job], results: Path) -> Any:
        """Submit the job that decides `orders`; `jobs` are what they stand for."""
        memory = max(job.case.meta.memory for job in jobs)
        gpu = any(job.env.gpu for job in jobs)
        alone = any(job.case.meta.exclusive for job in jobs)
        asked = {"gpus_per_node": int(gpu), "mem_gb": max(1, -(-memory // 1024))}
        if alone:
            asked["slurm_exclusive"] = True
        return self._executor(**asked).submit(decide_part, orders, results)

    def why(self, job: Any) -> str:
        """Why a job ended before its part did, as one line."""
        try:
            job.result()
        except self._errors as error:
            return _last_line(error)
        return "it ended early"

    def _executor(self, **asked: Any) -> Any:
        """What submits a job that asks for so much; a parameter that is once set would stay."""
        executor = self._submitit.AutoExecutor(folder=self._folder / "jobs")
        executor.update_parameters(cpus_per_task=1, timeout_min=24 * 60, **asked)
        return executor


def decide_part(orders: Mapping[int, Order], results: Path) -> None:
    """Decide `orders` in turn, on a node; the file of a number in `results` has its decision."""
    for number, order in orders.items():
        unfinished = results / f"{number}.part"
        unfinished.write_bytes(pickle.dumps(decide(order)))
        unfinished.rename(results / str(number))


def _orders(catalog: Catalog, plan: Plan, settings: Settings) -> list[Order]:
    root = catalog.root.resolve()
    return [order_of(it, root, settings, arms_at_once(it.env.gpu_memory)) for it in plan.jobs]


def _parts(jobs: Sequence[Job], count: int) -> Iterator[list[int]]:
    """The numbers of the jobs of each part: in turn, but those that are timed by themselves."""
    timed = [number for number, job in enumerate(jobs) if job.case.meta.exclusive]
    usual = [number for number, job in enumerate(jobs) if not job.case.meta.exclusive]
    yield from filter(None, (usual[start::count] for start in range(count)))
    if timed:
        yield timed


class _Run:
    """The parts that run, and what came back."""

    def __init__(self, engine: SlurmEngine, plan: Plan, kept: Kept, results: Path) -> None:
        self.engine, self.jobs, self.kept, self.results = engine, plan.jobs, kept, results
        self._parts: dict[Any, dict[int, Order]] = {}
        results.mkdir()

    def submit(self, orders: dict[int, Order]) -> None:
        jobs = [self.jobs[number] for number in orders]
        self._parts[self.engine.submit(orders, jobs, self.results)] = orders

    def collected(self) -> bool:
        """Take what is there; whether anything still runs."""
        # Asked first: what a part wrote before it ended is then taken.
        ended = [it for it in self._parts if it.done()]
        for file in [it for it in self.results.iterdir() if not it.suffix]:
            self._take(int(file.name), file)
        for part in ended:
            self._close(part)
        return bool(self._parts)

    def cancel(self) -> None:
        for part in self._parts:
            part.cancel(check=False)

    def _take(self, number: int, file: Path) -> None:
        decision = pickle.loads(file.read_bytes())
        file.unlink()
        for orders in self._parts.values():
            orders.pop(number, None)
        self.kept.keep(self.jobs[number], decision)

    def _close(self, part: Any) -> None:
        orders = self._parts.pop(part)
        if not orders:
            return
        lost, *_ = orders
        name, why = orders.pop(lost).page.stem, self.engine.why(part)
        _log.warning("%s: its job was lost (%s); run it again", name, why)
        if orders:
            self.submit(orders)


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1].strip(" -") if lines else type(error).__name__
