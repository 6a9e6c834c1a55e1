"""Run one arm or one judgement in this process."""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import importlib
import itertools
import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from validators.worker import older_torch, process, training, warm
from validators.worker.example import run_example
from validators.worker.user_code import module_of, seed, sentence

_hashes: dict[str, str] = {}
"""SHA-256 of files of ours, taken before they run: somebody may edit them meanwhile."""

_loaded_last = ""
"""The module that a zygote has loaded last."""

Request = dict[str, Any]
Result = dict[str, Any]


def prepare() -> None:
    """Import the module of ours that every arm and every judgement uses, as it stands now.

    This is the last thing that a zygote loads.
    """
    global _loaded_last
    report = Path(__file__).parents[1] / "probes" / "report.py"
    _hashes[str(report)] = _hash(report)
    importlib.import_module("validators.probes.report")
    _loaded_last = next(reversed(sys.modules))


def run_fresh(descriptor: int, directory: Path, parent: int) -> None:
    """Run the request in `directory` in this new interpreter; the result goes to `descriptor`.

    `parent` is the process id of the supervisor that started it.
    """
    process.die_with_parent(parent)
    request = json.loads((directory / "request.json").read_text())
    warm.enter(directory, request["variables"])
    warm.seed_caches(directory)
    perform(request, descriptor)


def perform(request: Request, descriptor: int) -> None:
    """Do what `request` asks, write one JSON object to `descriptor`, and exit."""
    # On a time-out the runner asks for this dump before it kills; it works in hung C code, too.
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    process.volunteer()
    # What this process orphans stays below it and ends with it.
    process.adopt_orphans()
    # A CUDA context reserves more private memory than its arm uses.
    if request["device"] == "cpu" or request["task"] == "judge":
        process.limit_memory(request["memory"])
    try:
        run = _of_module if "module" in request else _tasks[request["task"]]
        answer = json.dumps(run(request), allow_nan=False)
    except BaseException as error:
        answer = json.dumps({"error": sentence(error), "traceback": _trimmed(error)})
    with os.fdopen(descriptor, "w") as pipe:
        pipe.write(answer)
    with contextlib.suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    # Finalizers of torch and of the arm cannot affect the verdict, and some never return.
    os._exit(0)


def _run_arm(request: Request) -> Result:
    """What one arm did: its report, the modules of ours that it loaded and its wall time.

    If the request names a `results` file, the results of all calls are saved there. `own_seconds`
    is the wall time of the proof's own code; the rest of a task's time is overhead. `invented` is
    what the arm asked for that only a GPU has, where the request says that there is none.
    """
    if request["results"]:
        importlib.import_module("validators.probes.results").start_keeping()
    begun = time.perf_counter()
    report = _report_of_arm(request)
    own_seconds = time.perf_counter() - begun
    if stray := _unseen_modules(request):
        raise ImportError(
            f"the proof imported {stray[0]}, which no digest covers; import probes only"
        )
    if request["results"]:
        importlib.import_module("validators.probes.results").save(request["results"])
    return {
        "report": report,
        "own_seconds": own_seconds,
        "modules": _our_modules(request),
        "torch": str(importlib.import_module("torch").__version__),
        "invented": _pretended(request, "proving").invented() if request["pretend"] else [],
    }


def _witness_arm(request: Request) -> Result:
    """What another witness saw of an arm that runs in the request's `mode`."""
    modes = importlib.import_module("validators.probes.modes")
    results = importlib.import_module("validators.probes.results")
    # A mode looks for names that older releases lack.
    older_torch.complete()
    if request["trains"]:
        training.begin()
    if request["mode"]:
        modes.enter(request["mode"])
    if request["mode"] == modes.UNCOMPILED and not request["trains"]:
        results.start_keeping()
    report = _report_of_arm(request)
    if request["trains"]:
        return {"report": report, "backwards": training.backwards()}
    if request["mode"] == modes.AUDIT:
        return {"audits": importlib.import_module("validators.probes").audits()}
    if request["mode"] == modes.UNCOMPILED:
        return {"report": report, "compared": results.compare(request["results"])}
    return {"report": report, "substituted": modes.substituted()}


def _report_of_arm(request: Request) -> dict[str, Any]:
    """Run an arm and return its report, or raise TypeError where it returns anything else."""
    if request["pretend"]:
        _pretended(request, "proving").begin()
    seed(0)
    if request["turns"]:
        importlib.import_module("validators.probes.turns").join(Path(request["turns"]))
    probes = importlib.import_module("validators.probes")
    older_torch.complete()
    if request["device"] == "cpu":  # where no claim is about time
        warm.leave_guards_untimed()
    if request["device"] == "cuda":
        torch = importlib.import_module("torch")
        torch.cuda.set_per_process_memory_fraction(request["gpu_share"])
    report = getattr(_load(request), request["arm"])(request["device"])
    if not isinstance(report, probes.Report):
        raise TypeError(f"{request['arm']} returned {type(report).__name__}, not a probe's report")
    data: dict[str, Any] = report.to_json()
    return data


def _judge(request: Request) -> Result:
    """What `shows` says of each pair of reports: a bool, or None if that is too close to call."""
    from validators.probes.report import Report

    shows = _load(request).shows

    def seen(report: dict[str, Any]) -> Report:
        it = Report.from_json(report)
        return _pretended(request, "unseen").hidden(it) if request["pretend"] else it

    said = []
    for pair in request["pairs"]:
        said.append({arm: shows(seen(report)) for arm, report in pair.items()})
        for arm, value in said[-1].items():
            if not isinstance(value, bool | None):
                raise TypeError(f"shows returned {type(value).__name__} for the {arm}, not a bool")
    return {"shows": said}


def _of_module(request: Request) -> Result:
    """What the function of the task's name finds, in the module that the request names."""
    module = importlib.import_module(request["module"])
    found: Result = getattr(module, request["task"])(request)
    return found


_tasks = {
    "arm": _run_arm,
    "witness": _witness_arm,
    "example": run_example,
    "judge": _judge,
}


def _load(request: Request) -> ModuleType:
    """Load the case's module from its path; code in this process can then import it by name."""
    path = Path(request["proof"])
    _hashes[str(path)] = _hash(path)
    return module_of(path)


def _pretended(request: Request, name: str) -> Any:
    """A module of the room that pretends; the request names it, since skills never ask for it."""
    return importlib.import_module(f"{request['pretend']}.{name}")


def _unseen_modules(request: Request) -> list[str]:
    """Modules of ours that a proof must not use; only now are imports by a computed name seen."""
    ours = [name for name in _own_modules() if name.startswith("validators.")]
    rooms = ("inspector", "probes", "worker")
    known = (*(f"validators.{it}" for it in rooms), *filter(None, [request["pretend"]]))
    return sorted(name for name in ours if not name.startswith(known))


def _own_modules() -> list[str]:
    """The names of the modules that this process has loaded, without those of its zygote.

    To look at a module copies its memory into this process: those of the zygote are thousands,
    which would cost more than many arms do.
    """
    return list(itertools.takewhile(_loaded_last.__ne__, reversed(sys.modules)))


def _our_modules(request: Request) -> dict[str, str]:
    """Each loaded module under one of the request's roots: path to SHA-256.

    The index of the probes is left out: it only says which module holds which probe, and every new
    probe changes it.
    """
    # A fresh interpreter loads thousands: comparing their paths as text takes a millisecond.
    roots = tuple(f"{root}{os.sep}" for root in request["roots"])
    own = [sys.modules.get(name) for name in _own_modules()]
    files = {*_hashes, *(getattr(module, "__file__", None) or "" for module in own)}
    index = importlib.import_module("validators.probes").__file__
    ours = [file for file in files if file.startswith(roots) and file != index]
    return {file: _hashes.get(file) or _hash(Path(file)) for file in ours}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _trimmed(error: BaseException) -> str:
    """The traceback without our own frames."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = ("/validators/inspector/", "/validators/worker/")
    kept = [frame for frame in frames if not any(room in frame.filename for room in ours)]
    return "".join(
        [*traceback.format_list(kept), *traceback.format_exception_only(type(error), error)]
    )
