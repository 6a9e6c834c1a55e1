"""Run a page's example as a user would: as a program of its own, with the logs turned on."""

from __future__ import annotations

import contextlib
import importlib
import linecache
import os
import random
import sys
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from validators.worker import older_torch

NAME = "example.py"
_MOST_BYTES = 1 << 20
_MOST_LEAVES = 1000


def run_example(request: dict[str, Any]) -> dict[str, Any]:
    """Run the program `code` of the request; return what it printed and how it ended.

    What it computed is written to the file `save` and compared with that in the file `compare`, if
    the request names them. `names` are the variables that count; None says all. The program runs
    under `grad`: "no_grad" or "inference_mode"; "" leaves the default.
    """
    modes = importlib.import_module("validators.probes.modes")
    results = importlib.import_module("validators.probes.results")
    if request["mode"]:
        older_torch.complete()
        modes.enter(request["mode"])
    results.start_keeping()
    results.begin()
    path = Path(NAME).resolve()
    with printing_into(path.with_suffix(".txt")) as printed, _grad_mode(request["grad"]):
        error = execute(path, request)
    measuring = importlib.import_module("validators.worker.measuring")
    said = printed.read_bytes()[:_MOST_BYTES].decode("utf-8", "replace")
    answer: dict[str, Any] = {
        "breaks": measuring.breaks_counted(),
        "graphs": measuring.graphs_compiled(),
        "printed": said.replace(f"{path.parent}{os.sep}", ""),
        "raised": "" if error is None else type(error).__name__,
        "asserted": isinstance(error, AssertionError) and _raised_in(error, path),
    }
    if error is not None:
        return answer
    results.keep(_computed(vars(sys.modules["__main__"]), request["names"]), (), None)
    if request["compare"]:
        answer["compared"] = results.compare(request["compare"])
    if request["save"]:
        results.save(request["save"])
    return answer


def _grad_mode(name: str) -> contextlib.AbstractContextManager[Any]:
    mode: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
    if name:
        mode = getattr(importlib.import_module("torch"), name)()
    return mode


def execute(path: Path, request: dict[str, Any]) -> BaseException | None:
    """Run the program `code` of the request, written to `path`, as `__main__`.

    The `logs` of the request are on. The exception that ends the program, if any, is printed and
    returned.
    """
    code = request["code"]
    path.write_text(code, encoding="utf-8")
    _set_logs(request["logs"])
    random.seed(0)
    main = types.ModuleType("__main__")
    main.__file__ = str(path)
    sys.modules["__main__"] = main
    sys.argv[:] = [str(path)]
    linecache.checkcache(str(path))
    try:
        exec(compile(code, str(path), "exec", dont_inherit=True), main.__dict__)
    except SystemExit as end:
        return end if end.code else None
    except BaseException as error:
        # Leave out the frame of this function.
        below = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, below)
        return error
    return None


def _raised_in(error: BaseException, path: Path) -> bool:
    """Whether a statement of the program itself raised `error`, not code that it called."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and frames[-1].filename == str(path)


@contextlib.contextmanager
def printing_into(file: Path) -> Iterator[Path]:
    """Redirect everything that is printed, by C code too, into a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    try:
        yield file
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)


def _set_logs(setting: str) -> None:
    """Turn on the logs that TORCH_LOGS would; torch reads that variable only at import."""
    os.environ["TORCH_LOGS"] = setting
    importlib.import_module("torch._logging._internal")._init_logs()


def _computed(namespace: dict[str, Any], names: list[str] | None) -> list[Any]:
    """The tensors and numbers in a program's variables, and the state of its modules."""
    torch = importlib.import_module("torch")
    found: list[Any] = []
    for name, value in sorted(namespace.items()):
        if name.startswith("__") or (names is not None and name not in names):
            continue
        if isinstance(value, torch.nn.Module):
            found += [*value.parameters(), *value.buffers()]
            found += [it.grad for it in value.parameters() if it.grad is not None]
        elif isinstance(value, torch.Tensor):
            found += [value] if value.grad is None else [value, value.grad]
        elif isinstance(value, (bool, int, float, complex, list, tuple, dict)):
            found.append(value)
    return found[:_MOST_LEAVES]
