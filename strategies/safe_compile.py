"""Compile a model within a time limit, or leave it uncompiled: one file to copy.

Copy this file into your project. It needs Python 3.10 or newer, torch 2.6 or newer and nothing
else; the time limit needs Linux or macOS. Nobody has tried it on a GPU yet.

    model = safe_compile(model, [(torch.ones(8, 512),)], timeout=600)

`safe_compile` compiles in a child process first. If the child hangs, dies or fails, it is killed,
and you get the model uncompiled, with one warning that says why. `regional_compile` compiles equal
blocks one by one; they share one graph. Both compile in place: you get your own model back, with
the keys of its `state_dict`. A copy or a pickle of it is uncompiled. In-place compiling makes a
reference cycle; after `del model`, `gc.collect()` frees it (case `in_place_compile_makes_a_cycle`).

What the child costs:

- Memory: it works with fake tensors, which have shapes and no data, so it copies no weights.
- Time: it fills Inductor's cache on disk, and your process finds the kernels there. Dynamo and
  AOTAutograd trace twice. A backend other than Inductor has no such cache and compiles twice.
- Its start: on Linux it is a fork while CUDA is unused and autograd has no threads. Later it is a
  new interpreter, which imports torch and gets the pickled model without weights.
- A model that reads values, as in `if x.sum() > 0` outside of graphs, cannot run on fake tensors.
  A fork then runs it on the weights that it shares with your process. A new interpreter has none;
  the model stays uncompiled. Before torch 2.11, this goes for all models under Inductor.

The limit does not cover:

- Calls unlike `example_calls`, which compile again in your process. To run them uncompiled, call
  `torch.compiler.set_stance("eager_on_recompile")` after the first calls.
- The first call in your process, which traces the model and loads the kernels: none ran before.
- A class that torch has compiled for other sizes before, if the child is a new interpreter: your
  process then compiles it with dynamic sizes. Call `torch.compiler.reset()` first.
- The backward pass without `loss`, and the backward pass of backends other than Inductor.
"""

from __future__ import annotations

import contextlib
import copy
import faulthandler
import importlib
import io
import multiprocessing.spawn
import operator
import os
import pickle
import re
import signal
import sys
import tempfile
import time
import types
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeCopyMode, FakeTensorMode

_CHILD = "SAFE_COMPILE_CHILD"
_COMPILED = "compiled"
_NO_AUTOGRAD = "autograd does not work in a fork of it; leave start='auto'"


class CompileFallbackWarning(RuntimeWarning):
    """The model stays uncompiled; the message says why."""


class _Failure(Exception):
    """Why a child process did not succeed: what follows "because"."""


class _Job(NamedTuple):
    """What a child process compiles: `modules`, while `model` makes `calls`."""

    model: torch.nn.Module
    modules: list[torch.nn.Module]
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]]
    loss: Callable[[Any], torch.Tensor] | None
    options: dict[str, Any]


def safe_compile(
    model: torch.nn.Module,
    example_calls: Iterable[Any],
    *,
    timeout: float = 600.0,
    loss: Callable[[Any], torch.Tensor] | None = None,
    regional: bool = False,
    start: str = "auto",
    **options: Any,
) -> torch.nn.Module:
    """Compile `model` in place if a child process can compile it within `timeout` seconds.

    Call it under the same `torch.no_grad()`, `torch.inference_mode()` or `torch.autocast()` as the
    model itself: the cache tells them apart.

    Args:
        model: A module. It does not run in your process.
        example_calls: Each call is a tuple of arguments, a dict of keyword arguments or one tensor.
        timeout: How many seconds the child may take for all example calls, its start included.
        loss: Takes the model's output and returns a scalar. The child then compiles the backward
            pass, too.
        regional: Compile equal blocks one by one, as `regional_compile` does.
        start: `fork`, `spawn` (a new interpreter) or `auto`.
        options: Those of `torch.compile`, such as `mode`, `backend`, `dynamic` or `fullgraph`.

    Returns:
        `model`, compiled or not. If not, one `CompileFallbackWarning` says why.

    Raises:
        TypeError, ValueError: an argument is wrong.
    """
    calls = _calls(model, example_calls)
    if timeout <= 0:
        raise ValueError(f"timeout is {timeout}; give a number of seconds above 0")
    if start not in ("auto", "fork", "spawn"):
        raise ValueError(f"start is {start!r}; give 'auto', 'fork' or 'spawn'")
    modules = _repeated_blocks(model) if regional else [model]
    try:
        _try_in_child(_Job(model, modules, calls, loss, options), timeout, start)
    except _Failure as failure:
        message = f"{type(model).__name__} stays uncompiled, because {failure}"
        warnings.warn(message, CompileFallbackWarning, stacklevel=2)
    else:
        _compile_in_place(modules, options)
    return model


def regional_compile(model: torch.nn.Module, **options: Any) -> torch.nn.Module:
    """Compile the equal blocks of a model in place, one by one; return the model.

    Blocks are children of a ModuleList or Sequential, equal in class and in the shapes of their
    parameters. What is around them runs uncompiled. `options` are those of `torch.compile`. Unlike
    `block.compile()`, this also compiles blocks whose class is from torch.nn itself (case
    `in_place_compile_of_builtin_module`).

    Raises:
        ValueError: no block is repeated.
    """
    _compile_in_place(_repeated_blocks(model), options)
    return model


def _repeated_blocks(model: torch.nn.Module) -> list[torch.nn.Module]:
    """The blocks that a model repeats: outermost, of one class and equal shapes."""
    found: list[torch.nn.Module] = []
    inside: set[torch.nn.Module] = set()
    for module in model.modules():
        if module in inside or not isinstance(module, torch.nn.ModuleList | torch.nn.Sequential):
            continue
        kinds = defaultdict(list)
        for block in module.children():
            if shapes := tuple(tuple(it.shape) for it in block.parameters()):
                kinds[type(block), shapes].append(block)
        blocks = [block for equal in kinds.values() if len(equal) > 1 for block in equal]
        found += blocks
        inside.update(inner for block in blocks for inner in block.modules())
    if not found:
        kind = type(model).__name__
        raise ValueError(f"{kind} repeats no block of a ModuleList or Sequential; compile it whole")
    return found


def _call(module: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
    return module._call_impl(*args, **kwargs)


def _compile_in_place(modules: list[torch.nn.Module], options: dict[str, Any]) -> None:
    """Compile modules in place, of torch.nn itself as well; equal ones share their graphs."""
    # Dynamo keeps graphs, and counts recompiles, per code object: each use has one of its own.
    function = types.FunctionType(_call.__code__.replace(), globals(), _call.__name__)
    compiled = torch.compile(function, **options)
    for module in modules:
        module._compiled_call_impl = partial(compiled, module)


def _calls(model: Any, given: Iterable[Any]) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"model is a {type(model).__name__}; give a torch.nn.Module")
    if isinstance(given, (torch.Tensor, Mapping)) or not hasattr(given, "__iter__"):
        raise TypeError("example_calls is not a list of calls; give [(x,), (y,)]")
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    for call in given:
        if not isinstance(call, (tuple, list, Mapping, torch.Tensor)):
            kind = type(call).__name__
            raise TypeError(f"a call is a {kind}; give a tuple of arguments, a dict or a tensor")
        args = () if isinstance(call, Mapping) else call
        kwargs = dict(call) if isinstance(call, Mapping) else {}
        calls.append(((args,) if isinstance(args, torch.Tensor) else tuple(args), kwargs))
    if not calls:
        raise ValueError("example_calls is empty; give at least one call, such as [(x,)]")
    return calls


def _try_in_child(job: _Job, timeout: float, start: str) -> None:
    """Compile in a child process that is killed after `timeout` seconds; raise why that failed."""
    if os.environ.get(_CHILD):
        raise ValueError("a child of safe_compile ran this script; put `if __name__ == ...` in it")
    if os.name != "posix":
        raise _Failure("the time limit needs Linux or macOS")
    can_fork = sys.platform == "linux" and not torch.cuda.is_initialized()
    if start == "fork" and not can_fork:
        raise _Failure("CUDA or the system does not allow a fork; leave start='auto'")
    deadline = time.monotonic() + timeout
    answer = _run(_fork, job, deadline) if can_fork and start != "spawn" else _NO_AUTOGRAD
    if answer == _NO_AUTOGRAD and start != "fork":
        answer = _run(_spawn, job, deadline)
    if not answer:
        raise _Failure(f"compiling it took longer than {timeout:g} s")
    if answer != _COMPILED:
        raise _Failure(answer)


def _run(begin: Callable[[_Job, int, float], int], job: _Job, deadline: float) -> str:
    """Start a child and return its answer, "" after the deadline; leave no process behind."""
    exited = None
    with tempfile.TemporaryFile() as file:
        child = begin(job, file.fileno(), deadline)
        try:
            while exited is None and time.monotonic() < deadline:
                time.sleep(0.02)
                exited = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        finally:
            _kill(child)
        file.seek(0)
        answer = file.read().decode()
    if exited is None or answer:
        return answer
    if exited.si_code == os.CLD_EXITED:
        return f"the process that compiled it ended with status {exited.si_status}"
    return f"the process that compiled it died of {signal.Signals(exited.si_status).name}"


def _kill(child: int) -> None:
    """Kill the child's process group; the child itself too if it has not yet made its group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _fork(job: _Job, answer: int, deadline: float) -> int:
    with warnings.catch_warnings():
        # Python 3.12 warns that threads do not survive a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os.environ[_CHILD] = "1"
            _answer_with(partial(_forked, job), answer, deadline - time.monotonic())
        finally:
            os._exit(1)
    return child


def _spawn(job: _Job, answer: int, deadline: float) -> int:
    values = [_value(get) for get, _ in _state()]
    pickled = io.BytesIO()
    try:
        _Pickler(pickled).dump((values, torch.is_inference_mode_enabled(), job))
    except Exception as error:
        message = "a new interpreter has to compile it, and pickling it raised"
        raise _Failure(f"{message} {_sentence(error)}") from error
    start = multiprocessing.spawn.get_preparation_data("safe_compile")
    start.pop("authkey", None)
    if b"__main__" not in pickled.getvalue():
        start = {name: it for name, it in start.items() if not name.startswith("init_main")}
    elif (script := start.get("init_main_from_path")) and not re.search(
        r"^if\b.*\b__name__\b", Path(script).read_text(), re.MULTILINE
    ):
        raise _Failure(
            "a new interpreter has to compile it, and __main__ defines it; move it to a module, "
            'or put `if __name__ == "__main__":` around what the script does'
        )
    with tempfile.TemporaryFile() as file:
        pickle.dump((start, __name__, answer, deadline - time.monotonic()), file)
        file.write(pickled.getvalue())
        file.seek(0)
        os.set_inheritable(answer, True)
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", _SPAWNED],
            {**os.environ, _CHILD: "1"},
            file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 0)],
        )


_SPAWNED = """
import importlib, io, multiprocessing.spawn, os, pickle
job = io.BytesIO(os.fdopen(os.dup(0), "rb").read())
start, name, answer, left = pickle.load(job)
multiprocessing.spawn.prepare(start)
child = importlib.import_module(name)
child._answer_with(lambda: child._unpickled(job.read()), answer, left)
"""


class _Pickler(pickle.Pickler):
    """Pickles plain tensors and parameters without their data."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            return NotImplemented
        about = type(value), value.requires_grad, _marks(value), value.dtype, value.device
        return _without_data, (tuple(value.shape), value.stride(), *about)


def _without_data(
    shape: tuple[int, ...], stride: tuple[int, ...], kind: Any, grad: bool, marks: Any, *where: Any
) -> torch.Tensor:
    """Make a tensor of the fake mode that is active; `where` are its dtype and device."""
    dtype, device = where
    made = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    if kind is torch.nn.Parameter:
        made = torch.nn.Parameter(made, grad)
    vars(made.requires_grad_(grad)).update(marks)
    return made


def _marks(tensor: torch.Tensor) -> dict[str, Any]:
    """What `mark_dynamic` and its relatives wrote on a tensor."""
    return {name: it for name, it in vars(tensor).items() if name.startswith("_dynamo")}


_PRECISIONS = (
    "cuda.matmul.allow_fp16_reduced_precision_reduction",
    "cuda.matmul.allow_bf16_reduced_precision_reduction",
    "cuda.matmul.fp32_precision",  # these two exist from torch 2.9 on
    "mkldnn.matmul.fp32_precision",
)
"""Attributes of `torch.backends` that are part of a cache key or of the generated code."""


def _state() -> Iterator[tuple[Callable[[], Any], Callable[[Any], Any]]]:
    """Yield how to get and set what two interpreters share if they make the same cache keys."""
    for name in ("torch._dynamo.config", "torch._functorch.config", "torch._inductor.config"):
        config = importlib.import_module(name)
        yield config.save_config, config.load_config
    yield torch.get_num_threads, torch.set_num_threads
    yield torch.get_default_dtype, torch.set_default_dtype
    yield torch.get_float32_matmul_precision, torch.set_float32_matmul_precision
    for name in _PRECISIONS:
        get = partial(operator.attrgetter(name), torch.backends)
        yield get, partial(_set_precision, *name.rsplit(".", 1))
    yield torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms
    yield torch.is_grad_enabled, torch.set_grad_enabled
    for kind in ("cpu", "cuda"):
        yield partial(torch.is_autocast_enabled, kind), partial(torch.set_autocast_enabled, kind)
        yield partial(torch.get_autocast_dtype, kind), partial(torch.set_autocast_dtype, kind)


def _set_precision(owner: str, name: str, value: Any) -> None:
    setattr(operator.attrgetter(owner)(torch.backends), name, value)


def _value(get: Callable[[], Any]) -> Any:
    """What `get` returns; None on a release that lacks it, or where another setting forbids it."""
    try:
        return get()
    except (AttributeError, RuntimeError):
        return None


def _answer_with(run: Callable[[], None], answer: int, left: float) -> None:
    """Compile silently in a process group, and answer; die without a parent after the deadline."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    sys.stdout = sys.stderr = os.fdopen(nothing, "w")  # a notebook's write elsewhere
    faulthandler.disable()  # pytest's writes to a copy of the old standard error
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(max(1, int(left) + 10))
    try:
        run()
        said = _COMPILED
    except _Failure as failure:
        said = str(failure)
    except BaseException as error:
        said = f"compiling it raised {_sentence(error)}"
    os.write(answer, said.encode())
    os._exit(0)


def _sentence(error: BaseException) -> str:
    """An exception's type and the first line of its message, of its cause if Dynamo wrapped it."""
    inner = getattr(error, "inner_exception", None)
    if isinstance(inner, BaseException):
        return _sentence(inner)
    first = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _forked(job: _Job) -> None:
    if torch.is_grad_enabled() and not _autograd_works():
        raise _Failure(_NO_AUTOGRAD)
    # Threads of OpenMP do not survive a fork, but their number is part of the generated code.
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.get_num_threads = lambda: threads
    _forget_threads_of_inductor()
    try:
        mode = FakeTensorMode(allow_non_fake_inputs=True)
        with torch.inference_mode(False), FakeCopyMode(mode):
            fake = _Job(*copy.deepcopy(job[:3]), *job[3:])
        for real, made in zip(*map(pytree.tree_leaves, (job.calls, fake.calls)), strict=True):
            if isinstance(real, torch.Tensor):
                vars(made).update(_marks(real))
        with mode:
            _compile_without_running(fake)
    except Exception:
        torch._dynamo.reset()
        _compile_without_running(job)


def _autograd_works() -> bool:
    """Whether this fork can differentiate: not if autograd has threads in its parent."""
    try:
        x = torch.ones((), requires_grad=True)
        torch.autograd.grad(x * 2, x)
    except RuntimeError:
        return False
    return True


def _forget_threads_of_inductor() -> None:
    """Its pools look idle in a fork, but their threads are gone, and work given to them waits."""
    from torch._inductor.async_compile import AsyncCompile

    AsyncCompile.pool.cache_clear()
    AsyncCompile.process_pool.cache_clear()


def _unpickled(pickled: bytes) -> None:
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode:
        values, inference, job = pickle.loads(pickled)
    for (get, put), value in zip(_state(), values, strict=True):
        # Writing even a default changes some cache keys.
        if value is not None and _value(get) != value:
            put(value)
    with torch.inference_mode() if inference else contextlib.nullcontext(), mode:
        _compile_without_running(job)


def _compile_without_running(job: _Job) -> None:
    """Compile all calls; run their graphs as they were traced, never what the backend made."""
    options = dict(job.options)
    backend = options.get("backend", "inductor")
    if backend == "inductor":
        _let_inductor_run_graphs()
    else:
        options["backend"] = _runs_graphs(backend)
    _compile_in_place(job.modules, options)
    for args, kwargs in job.calls:
        output = job.model(*args, **kwargs)
        if job.loss is not None:
            job.loss(output).backward()


def _runs_graphs(backend: Any) -> Callable[..., Any]:
    compiler = torch._dynamo.lookup_backend(backend) if isinstance(backend, str) else backend

    def compile_and_forget(graph: torch.fx.GraphModule, inputs: list[Any], **options: Any) -> Any:
        compiler(graph, inputs, **options)
        return graph.forward

    return compile_and_forget


def _let_inductor_run_graphs() -> None:
    """Let Inductor compile and cache each graph, forward and backward, and run the graph itself.

    This changes Inductor, for good: only a child process may call it.
    """
    import torch._functorch.config
    import torch._inductor.compile_fx as inductor

    # A hit of AOTAutograd's cache would return kernels and no graph.
    torch._functorch.config.enable_autograd_cache = False
    compile_inner = inductor.compile_fx_inner

    def compile_and_run_graph(graph: torch.fx.GraphModule, inputs: Any, **options: Any) -> Any:
        # Inductor changes the graph that it gets.
        traced = torch.fx.GraphModule(graph, copy.deepcopy(graph.graph))
        made = compile_inner(graph, inputs, **options)
        made.current_callable = lambda arguments: traced(*arguments)
        return made

    _, *others = inductor.compile_fx.__defaults__
    inductor.compile_fx.__defaults__ = (compile_and_run_graph, *others)
