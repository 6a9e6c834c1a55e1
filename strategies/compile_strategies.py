"""Compile a model within a time limit, block by block, or not at all: one file to copy.

Copy this file into your project. It needs Python 3.10 or newer, torch 2.5 to 2.15 and nothing else.
The time limit needs Linux or macOS.

    from compile_strategies import safe_compile

    model = safe_compile(model, [(torch.ones(8, 512),)], timeout=600)

- `safe_compile` compiles in a child process first. If the child hangs, dies or fails, the child is
  killed, and you get the model uncompiled, with one warning that says why.
- `regional_compile` compiles equal blocks one by one; equal blocks share one graph.
- `choose_strategy` counts the ops that Dynamo traces, and recommends one of `STRATEGIES`.
- `count_parameters` counts shared parameters once.

All of them compile in place: you get your own model back, and the keys of its `state_dict` stay
as they are. A copy or a pickle of the model is uncompiled. In-place compiling makes a reference
cycle; after `del model`, `gc.collect()` frees it (case `in_place_compile_makes_a_cycle`).

What a child process costs
--------------------------
- **Memory.** The child never copies the weights: it works with fake tensors, which have shapes and
  no data. Activations are fake as well.
- **Time.** Inductor's work is done once: the child fills Inductor's cache on disk, and your process
  finds the kernels there. Dynamo's and AOTAutograd's tracing is done twice. A backend other than
  Inductor has no such cache and compiles twice.
- **How the child starts.** On Linux, while CUDA is unused, it is a fork. After the first use of CUDA
  torch does not work in a fork, and neither does autograd once it has started threads. The child is
  then a new interpreter, which takes a second or more to import torch. It gets the pickled model
  without weights. If the model cannot be pickled, it stays uncompiled, and the warning names the
  reason.
- **Models that read values**, such as `if x.sum() > 0` or `x.item()` outside of graphs, cannot run
  on fake tensors. A fork then runs the calls once more on the real weights, which it shares with
  your process, uncompiled, on one thread. It allocates real activations and, with `loss`, real
  gradients. A new interpreter has no weights; the model stays uncompiled.

What each release lacks
-----------------------
Tried on the CPU with torch 2.5.1, 2.9.1, 2.11.0, 2.13.0 and 2.15.0. torch 2.5.1 cannot compile from
fake tensors: a fork uses the real weights, as for models that read values, and in a new interpreter
the model stays uncompiled, with that reason. 2.6 to 2.8, and CUDA, are untried.

What the limit does not cover
-----------------------------
- Calls unlike `example_calls`, which compile again in your process. To run them uncompiled, call
  `torch.compiler.set_stance("eager_on_recompile")` (torch 2.6) after the first calls.
- The first call in your process: it imports Inductor, traces the model once more, and loads the
  kernels. No kernel runs in the child.
- The backward pass, unless you give `loss`. The backward pass of backends other than Inductor.

What was believed about the size of a model, and what is true
-------------------------------------------------------------
`choose_strategy(tier=...)` knows the tiers below. Each case is a page of the torch.compile Casebook.

| tier | believed | what is true instead | case |
|-|-|-|-|
| `below_1b` | below 1 billion parameters, compile it all | ops decide, not parameters | `parameters_do_not_set_compile_cost` |
| `1b_to_10b` | up to 10 billion, compile with a time limit | torch has no time limit; this file has | `no_global_compile_timeout` |
| `10b_to_40b` | up to 40 billion, compile the first 20 layers | all equal layers together cost as much as one | `first_twenty_layers`, `regional_compilation_traces_fewer_ops` |
| `above_40b` | above 40 billion, it hangs or is slower | it compiles within 2 GiB, to as many ops as a small model of equal depth | `forty_billion_parameters`, `forty_billion_through_inductor`, `forty_billion_on_a_gpu` |
"""  # noqa: E501

from __future__ import annotations

import ast
import contextlib
import copy
import faulthandler
import functools
import io
import multiprocessing.spawn
import operator
import os
import pickle
import select
import signal
import statistics
import sys
import tempfile
import time
import types
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensorMode

Call = tuple[tuple[Any, ...], dict[str, Any]]
"""The positional and the keyword arguments of one call."""

_CHILD = "COMPILE_STRATEGIES_CHILD"


class CompileFallbackWarning(RuntimeWarning):
    """The model stays uncompiled; the message says why."""


class _Failure(Exception):
    """Why a child process did not succeed: what follows "because"."""


# ------------------------------------------------------------------------------ time limit


def safe_compile(
    model: torch.nn.Module,
    example_calls: Iterable[Any],
    *,
    timeout: float = 600.0,
    mode: str | None = None,
    loss: Callable[[Any], torch.Tensor] | None = None,
    regional: bool = False,
    min_speedup: float | None = None,
    start: str = "auto",
    **options: Any,
) -> torch.nn.Module:
    """Compile `model` in place if a child process can compile it within `timeout` seconds.

    Call it under the same `torch.no_grad()`, `torch.inference_mode()` or `torch.autocast()` as the
    model itself: the cache tells them apart.

    Args:
        model: A module. Only `min_speedup` runs it in your process.
        example_calls: Each call is a tuple of arguments, a dict of keyword arguments or one tensor.
        timeout: How many seconds the child may take for all example calls, its start included.
        mode: As for `torch.compile`.
        loss: Takes the model's output and returns a scalar. The child then compiles the backward
            pass, too.
        regional: Compile equal blocks one by one, as `regional_compile` does.
        min_speedup: Keep the compiled model only if it takes at most 1 / `min_speedup` of eager's
            time, as the median of runs by turns. This makes the example calls in your process,
            on copies of their tensors; what the model changes in itself stays changed.
        start: `fork`, `spawn` (a new interpreter) or `auto`.
        options: What else `torch.compile` takes, such as `backend`, `dynamic` or `fullgraph`.

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
    modules = _blocks_to_compile(model) if regional else [model]
    options = _with_cache(mode, options)
    try:
        _in_child(_Job("compile", model, calls, loss, options, regional), timeout, start)
        _compile_in_place(modules, options)
        if min_speedup is not None:
            _check_speedup(modules, model, calls, min_speedup)
    except _Failure as failure:
        _uncompile(modules)
        name = type(model).__name__
        message = f"{name} stays uncompiled, because {failure}"
        warnings.warn(message, CompileFallbackWarning, stacklevel=2)
    return model


def regional_compile(model: torch.nn.Module, **options: Any) -> torch.nn.Module:
    """Compile the equal blocks of a model in place, one by one; return the model.

    Blocks are children of a ModuleList or Sequential, equal in class and in the shapes of their
    parameters. What is around the blocks runs uncompiled. `options` are those of `torch.compile`.

    Unlike `block.compile()`, this also compiles blocks whose class is from torch.nn itself (case
    `in_place_compile_of_builtin_module`), and unlike `model.layers[0] = torch.compile(...)`, it
    adds no `_orig_mod` to the keys of `state_dict`.

    Raises:
        ValueError: no block is repeated.
    """
    _compile_in_place(_blocks_to_compile(model), options)
    return model


# ------------------------------------------------------------------------------ choice


STRATEGIES = ("full", "full_with_time_limit", "regional", "eager")
TIERS = {
    "below_1b": (0, "full"),
    "1b_to_10b": (10**9, "full_with_time_limit"),
    "10b_to_40b": (10 * 10**9, "regional"),
    "above_40b": (40 * 10**9, "eager"),
}
"""From how many parameters on which strategy was recommended; see the table above."""


@dataclass(frozen=True)
class Strategy:
    """A strategy, one of `STRATEGIES`, and why it was chosen.

    `ops` is what Dynamo traces of the whole model, and `regional_ops` what it traces block by
    block; None if not counted. `blocks` are the names of the equal blocks.
    """

    name: str
    reason: str
    ops: int | None = None
    regional_ops: int | None = None
    blocks: tuple[str, ...] = ()

    def apply(
        self, model: torch.nn.Module, example_calls: Iterable[Any] = (), **options: Any
    ) -> torch.nn.Module:
        """Compile the model in place as this strategy says; `options` as for `safe_compile`.

        With example calls, `regional` has a time limit as well.
        """
        calls = list(example_calls)
        if self.name == "eager":
            return model
        if self.name == "full_with_time_limit" or calls:
            return safe_compile(model, calls, regional=self.name == "regional", **options)
        if self.name == "regional":
            return regional_compile(model, **options)
        _compile_in_place([model], options)
        return model


def choose_strategy(
    model: torch.nn.Module,
    example_calls: Iterable[Any] | None = None,
    tier: str | None = None,
    *,
    timeout: float = 60.0,
    few_ops: int = 500,
) -> Strategy:
    """Recommend a strategy by what Dynamo has to trace, and by the blocks that the model repeats.

    A child process counts the ops of the example calls. Compiling block by block is recommended
    if it at least halves them.

    Args:
        model: A module, which stays as it is.
        example_calls: As for `safe_compile`. Without them only the structure decides.
        tier: A name of `TIERS`, or `by_parameters`, for the rule that was believed. Nothing is
            counted then.
        timeout: How many seconds counting may take.
        few_ops: Up to so many ops, compile the whole model without a time limit. No case decided
            this number; measure your own.

    Raises:
        TypeError, ValueError: an argument is wrong.
    """
    blocks = tuple(repeated_blocks(model))
    if tier is not None:
        return _by_tier(model, tier, blocks)
    if example_calls is None:
        return _by_structure(blocks)
    job = _Job("count", model, _calls(model, example_calls), regional=bool(blocks))
    try:
        ops, regional = _in_child(job, timeout, "auto")
    except _Failure as failure:
        if blocks:
            reason = f"tracing it whole failed, because {failure}"
            return Strategy("regional", reason, blocks=blocks)
        return Strategy("eager", f"Dynamo cannot trace it, because {failure}")
    return _by_ops(ops, regional, blocks, few_ops)


def _by_ops(ops: int, regional: int | None, blocks: tuple[str, ...], few: int) -> Strategy:
    if ops == 0:
        return Strategy("eager", "Dynamo traces no op of it", ops, regional, blocks)
    if ops <= few:
        return Strategy("full", f"Dynamo traces only {ops} ops", ops, regional, blocks)
    if regional is not None and 0 < regional <= ops / 2:
        reason = f"of {ops} ops, {regional} are left if {len(blocks)} blocks compile one by one"
        return Strategy("regional", reason, ops, regional, blocks)
    reason = f"Dynamo traces {ops} ops, and equal blocks do not halve them"
    return Strategy("full_with_time_limit", reason, ops, regional, blocks)


def _by_structure(blocks: tuple[str, ...]) -> Strategy:
    if blocks:
        reason = f"it repeats {len(blocks)} blocks; nobody counted its ops"
        return Strategy("regional", reason, blocks=blocks)
    reason = "it repeats no block, and nobody counted its ops"
    return Strategy("full_with_time_limit", reason)


def _by_tier(model: torch.nn.Module, tier: str, blocks: tuple[str, ...]) -> Strategy:
    if tier not in (*TIERS, "by_parameters"):
        known = ", ".join((*TIERS, "by_parameters"))
        raise ValueError(f"there is no tier {tier!r}; give one of {known}")
    if tier == "by_parameters":
        number = count_parameters(model)
        tier = [name for name, (least, _) in TIERS.items() if number >= least][-1]
    name = TIERS[tier][1]
    reason = f"the tier {tier} says so; parameters do not decide what compiling costs"
    if name == "regional" and not blocks:
        return Strategy("full_with_time_limit", f"{reason}; it repeats no block", blocks=blocks)
    return Strategy(name, reason, blocks=blocks)


def count_parameters(model: torch.nn.Module, trainable_only: bool = False) -> int:
    """The number of parameters of a model, on any device, `meta` included; shared ones count once.

    Parameters of one storage, offset and shape are shared. Uninitialized parameters, as those of
    `torch.nn.LazyLinear`, have no shape yet: they count 0, and a warning says how many there are.
    """
    counted: dict[Any, int] = {}
    uninitialized = 0
    for parameter in model.parameters():
        if trainable_only and not parameter.requires_grad:
            continue
        if isinstance(parameter, torch.nn.parameter.UninitializedParameter):
            uninitialized += 1
            continue
        counted[_identity(parameter)] = parameter.numel()
    if uninitialized:
        message = f"{uninitialized} parameters are uninitialized and not counted; call the model"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    return sum(counted.values())


def _identity(parameter: torch.Tensor) -> Any:
    try:
        storage = parameter.untyped_storage()._cdata
    except (NotImplementedError, RuntimeError):  # a subclass without a storage
        return id(parameter)
    return storage, parameter.storage_offset(), tuple(parameter.shape)


# ------------------------------------------------------------------------------ in place


def repeated_blocks(model: torch.nn.Module) -> list[str]:
    """The names of blocks that a model repeats: outermost, of one class and equal shapes."""
    found: list[str] = []
    for name, module in model.named_modules():
        if not isinstance(module, (torch.nn.ModuleList, torch.nn.Sequential)):
            continue
        if any(name == block or name.startswith(f"{block}.") for block in found):
            continue
        kinds = defaultdict(list)
        for child, block in module.named_children():
            shapes = tuple(tuple(it.shape) for it in block.parameters())
            if shapes:
                kinds[type(block), shapes].append(f"{name}.{child}" if name else child)
        found += [it for names in kinds.values() if len(names) > 1 for it in names]
    return found


def _blocks_to_compile(model: torch.nn.Module) -> list[torch.nn.Module]:
    names = repeated_blocks(model)
    if not names:
        raise ValueError(
            f"{type(model).__name__} repeats no block of a ModuleList or Sequential; "
            "compile it whole"
        )
    return [model.get_submodule(name) for name in names]


def _call(module: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
    return module._call_impl(*args, **kwargs)


def _compile_in_place(modules: list[torch.nn.Module], options: dict[str, Any]) -> None:
    """Compile modules in place, of torch.nn itself as well; equal ones share their graphs."""
    # Dynamo keeps graphs, and counts recompiles, per code object: each use has one of its own.
    function = types.FunctionType(_call.__code__.replace(), globals(), _call.__name__)
    compiled = torch.compile(function, **options)
    for module in modules:
        module._compiled_call_impl = functools.partial(compiled, module)


def _uncompile(modules: list[torch.nn.Module]) -> None:
    for module in modules:
        module._compiled_call_impl = None


def _with_cache(mode: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """The options of `torch.compile`, with Inductor's cache on: torch 2.5 has it off."""
    import torch._inductor.config as config

    if options.get("backend", "inductor") != "inductor" or config.fx_graph_cache:
        return {**options, "mode": mode} if mode else options
    patches = torch._inductor.list_mode_options(mode, options.get("dynamic")) if mode else {}
    patches = {**patches, **(options.get("options") or {}), "fx_graph_cache": True}
    return {**options, "options": patches}


def _calls(model: Any, given: Iterable[Any]) -> list[Call]:
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"model is a {type(model).__name__}; give a torch.nn.Module")
    if isinstance(given, (torch.Tensor, Mapping)) or not hasattr(given, "__iter__"):
        raise TypeError("example_calls is not a list of calls; give [(x,), (y,)]")
    calls = [_arguments(it) for it in given]
    if not calls:
        raise ValueError("example_calls is empty; give at least one call, such as [(x,)]")
    return calls


def _arguments(given: Any) -> Call:
    if isinstance(given, Mapping):
        return (), dict(given)
    if isinstance(given, torch.Tensor):
        return (given,), {}
    if isinstance(given, (tuple, list)):
        return tuple(given), {}
    kind = type(given).__name__
    raise TypeError(f"a call is a {kind}; give a tuple of arguments, a dict or a tensor")


def _check_speedup(
    modules: list[torch.nn.Module], model: torch.nn.Module, calls: list[Call], least: float
) -> None:
    """Time eager and compiled calls by turns.

    Raises:
        _Failure: the compiled model raises, or is not fast enough.
    """
    compiled = [it._compiled_call_impl for it in modules]
    seconds: dict[bool, list[float]] = {True: [], False: []}
    try:
        for turn in range(8):
            for is_compiled in (False, True):
                for module, run in zip(modules, compiled, strict=True):
                    module._compiled_call_impl = run if is_compiled else None
                taken = _seconds(model, calls)
                if turn >= 3:  # the first turns compile and warm up
                    seconds[is_compiled].append(taken)
    except Exception as error:
        raise _Failure(f"its first calls raised {_sentence(error)}") from error
    ratio = statistics.median(seconds[False]) / statistics.median(seconds[True])
    if ratio < least:
        raise _Failure(f"compiled it has {ratio:.2f} times the speed of eager, below {least}")


def _seconds(model: torch.nn.Module, calls: list[Call]) -> float:
    copies = pytree.tree_map_only(torch.Tensor, lambda it: it.detach().clone(), calls)
    begun = time.perf_counter()
    for args, kwargs in copies:
        model(*args, **kwargs)
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter() - begun


# ------------------------------------------------------------------------------ parent's side


@dataclass
class _Job:
    """What a child process is to do: `compile` or `count`."""

    what: str
    model: torch.nn.Module
    calls: list[Call]
    loss: Callable[[Any], torch.Tensor] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    regional: bool = False


def _in_child(job: _Job, timeout: float, start: str) -> Any:
    """What the job returns in a child process that is killed after `timeout` seconds.

    Raises:
        _Failure: it raised, died or took longer.
    """
    if os.environ.get(_CHILD):
        raise ValueError("a child of safe_compile ran this script; put `if __name__ == ...` in it")
    if os.name != "posix":
        raise _Failure("the time limit needs Linux or macOS")
    deadline = time.monotonic() + timeout
    if start == "fork" and not _can_fork():
        raise _Failure("CUDA or the system does not allow a fork; leave start='auto'")
    forks = start == "fork" or (start == "auto" and _can_fork())
    answer = _run(_fork if forks else _spawn, job, deadline, timeout)
    if answer.get("needs_spawn"):
        if start == "fork":
            raise _Failure("autograd does not work in a fork of it; leave start='auto'")
        answer = _run(_spawn, job, deadline, timeout)
    if "raised" in answer:
        raise _Failure(f"compiling it raised {answer['raised']}")
    return answer["value"]


def _can_fork() -> bool:
    return sys.platform == "linux" and not torch.cuda.is_initialized()


def _run(
    begin: Callable[[_Job, int, float], int], job: _Job, deadline: float, timeout: float
) -> dict[str, Any]:
    """Start a child, wait for its answer, and leave no process of its group behind."""
    reader, writer = os.pipe()
    child = None
    try:
        child = begin(job, writer, deadline)
        os.close(writer)
        writer = -1
        answer = _answer(reader, child, deadline)
    finally:
        if child is not None:
            _kill(child)
        for it in (reader, writer):
            if it >= 0:
                os.close(it)
    if answer is None:
        raise _Failure(f"compiling it took longer than {timeout:g} s")
    return answer


def _answer(reader: int, child: int, deadline: float) -> dict[str, Any] | None:
    """The child's answer; None if it has not answered in time.

    Raises:
        _Failure: the child died.
    """
    received = b""
    while time.monotonic() < deadline:
        exited = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        while select.select([reader], [], [], 0 if exited else 0.05)[0]:
            part = os.read(reader, 65536)
            if not part:
                break
            received += part
        if received.endswith(_END):
            answer: dict[str, Any] = pickle.loads(received[: -len(_END)])
            return answer
        if exited:
            raise _Failure(f"the process that compiled it {_death(exited)}")
    return None


_END = b"<end of answer>"


def _death(exited: os.waitid_result) -> str:
    if exited.si_code == os.CLD_EXITED:
        return f"ended with status {exited.si_status}"
    return f"died of {signal.Signals(exited.si_status).name}"


def _kill(child: int) -> None:
    """Kill the child's process group; the child itself too if it has not yet made its group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _fork(job: _Job, writer: int, deadline: float) -> int:
    with warnings.catch_warnings():
        # Python 3.12 warns that threads do not survive a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os.environ[_CHILD] = "1"
            _enter_child(deadline)
            _answer_with(functools.partial(_forked, job), writer)
        finally:
            os._exit(1)
    return child


def _spawn(job: _Job, writer: int, deadline: float) -> int:
    if torch.__version__.startswith("2.5."):
        raise _Failure(
            "a new interpreter has to compile it, and torch 2.5 cannot compile from fake tensors"
        )
    try:
        pickled = _pickled((_settings(), job))
    except Exception as error:
        raise _Failure(
            f"a new interpreter has to compile it, and pickling it raised {_sentence(error)}"
        ) from error
    start = multiprocessing.spawn.get_preparation_data("compile_strategies")
    start.pop("authkey", None)
    if b"__main__" not in pickled:
        start = {it: start[it] for it in start if not it.startswith("init_main")}
    elif not _guarded(start.get("init_main_from_path")):
        raise _Failure(
            "a new interpreter has to compile it, and __main__ defines it; move it to a module, "
            'or put `if __name__ == "__main__":` around what the script does'
        )
    file = tempfile.TemporaryFile()  # noqa: SIM115
    pickle.dump((deadline - time.monotonic(), start, __name__, writer), file)
    file.write(pickled)
    file.seek(0)
    os.set_inheritable(writer, True)
    with file:
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", _SPAWNED],
            {**os.environ, _CHILD: "1"},
            file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 0)],
        )


_SPAWNED = """
import importlib, io, os, pickle
import multiprocessing.spawn
job = io.BytesIO(os.fdopen(os.dup(0), "rb").read())
left, start, name, writer = pickle.load(job)
multiprocessing.spawn.prepare(start)
importlib.import_module(name)._spawned(job.read(), writer, left)
"""


def _guarded(path: str | None) -> bool:
    """Whether a script can be imported: it asks for its `__name__`."""
    if path is None:
        return True  # a module run by `python -m`, or no file at all
    names = ast.walk(ast.parse(Path(path).read_text()))
    return any(isinstance(it, ast.Name) and it.id == "__name__" for it in names)


class _Pickler(pickle.Pickler):
    """Pickles plain tensors and parameters without their data."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            return NotImplemented
        how = (tuple(value.shape), value.stride(), value.dtype, value.device, value.requires_grad)
        return _without_data, (*how, type(value) is torch.nn.Parameter, _marks(value))


def _pickled(value: Any) -> bytes:
    file = io.BytesIO()
    _Pickler(file, protocol=4).dump(value)
    return file.getvalue()


def _without_data(
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    dtype: torch.dtype,
    device: torch.device,
    requires_grad: bool,
    is_parameter: bool,
    marks: dict[str, Any],
) -> torch.Tensor:
    """A tensor of the fake mode that is active."""
    made = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    if is_parameter:
        made = torch.nn.Parameter(made, requires_grad)
    made.requires_grad_(requires_grad)
    vars(made).update(marks)
    return made


def _marks(tensor: torch.Tensor) -> dict[str, Any]:
    """What `mark_dynamic` and its relatives wrote on a tensor."""
    return {name: it for name, it in vars(tensor).items() if name.startswith("_dynamo")}


def _settings() -> dict[str, Any]:
    """What a new interpreter has to share with this one, so that both make the same cache keys."""
    import torch._dynamo.config
    import torch._functorch.config
    import torch._inductor.config

    configs = (torch._dynamo.config, torch._functorch.config, torch._inductor.config)
    return {
        "configs": [(it.__name__, it.save_config()) for it in configs],
        "threads": torch.get_num_threads(),
        "dtype": torch.get_default_dtype(),
        "precision": _precision(),
        "backends": [(name, it) for name in _PRECISIONS if (it := _attribute(name)) is not None],
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "grad": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": [
            (device, torch.get_autocast_dtype(device))
            for device in ("cpu", "cuda")
            if torch.is_autocast_enabled(device)
        ],
    }


_PRECISIONS = (
    "cuda.matmul.allow_fp16_reduced_precision_reduction",
    "cuda.matmul.allow_bf16_reduced_precision_reduction",
    "cuda.matmul.fp32_precision",  # these two exist from torch 2.9 on
    "mkldnn.matmul.fp32_precision",
)
"""Attributes of `torch.backends` that are part of a cache key or of the generated code."""


def _attribute(name: str) -> Any:
    try:
        return operator.attrgetter(name)(torch.backends)
    except AttributeError:
        return None


def _precision() -> str | None:
    """None if the program uses `fp32_precision`, which this call does not go with."""
    try:
        return str(torch.get_float32_matmul_precision())
    except RuntimeError:
        return None


# ------------------------------------------------------------------------------ child's side


def _enter_child(deadline: float) -> None:
    """Make a process group, silence the output, and die without a parent after the deadline."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    sys.stdout = sys.stderr = os.fdopen(nothing, "w")  # a notebook's write elsewhere
    faulthandler.disable()  # pytest's writes to a copy of the old standard error
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(max(1, int(deadline - time.monotonic()) + 10))


def _answer_with(run: Callable[[], dict[str, Any]], writer: int) -> None:
    try:
        answer = run()
    except BaseException as error:
        answer = {"raised": _sentence(error)}
    sent = pickle.dumps(answer) + _END
    while sent:
        sent = sent[os.write(writer, sent) :]
    os._exit(0)


def _sentence(error: BaseException) -> str:
    """An exception's type and the first line of its message, of its cause if Dynamo wrapped it."""
    inner = getattr(error, "inner_exception", None)
    if isinstance(inner, BaseException):
        return _sentence(inner)
    first = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _forked(job: _Job) -> dict[str, Any]:
    if torch.is_grad_enabled() and not _autograd_works():
        return {"needs_spawn": True}
    # Threads of OpenMP do not survive a fork, but their number is part of the generated code.
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.get_num_threads = lambda: threads
    _forget_threads_of_inductor()
    with torch.inference_mode(False):
        mode = FakeTensorMode(allow_non_fake_inputs=True)
        put_back = _fake_weights(job.model, mode)
        fake = replace(job, calls=_fake(job.calls, mode))
    try:
        with mode:
            return {"value": _JOBS[job.what](fake)}
    except Exception:
        put_back()
        torch._dynamo.reset()
        return {"value": _JOBS[job.what](job)}


def _forget_threads_of_inductor() -> None:
    """Its pools look idle in a fork, but their threads are gone, and work given to them waits."""
    from torch._inductor.async_compile import AsyncCompile

    AsyncCompile.pool.cache_clear()
    AsyncCompile.process_pool.cache_clear()


def _spawned(pickled: bytes, writer: int, left: float) -> None:
    _enter_child(time.monotonic() + left)
    _answer_with(functools.partial(_unpickled, pickled), writer)


def _unpickled(pickled: bytes) -> dict[str, Any]:
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    with mode:
        settings, job = pickle.loads(pickled)
    with _applied(settings), mode:
        return {"value": _JOBS[job.what](job)}


@contextlib.contextmanager
def _applied(settings: dict[str, Any]) -> Iterator[None]:
    import importlib

    for name, config in settings["configs"]:
        importlib.import_module(name).load_config(config)
    torch.set_num_threads(settings["threads"])
    torch.set_default_dtype(settings["dtype"])
    # Writing even the default changes the cache key, from "none" to "ieee".
    if settings["precision"] not in (None, _precision()):
        torch.set_float32_matmul_precision(settings["precision"])
    for name, value in settings["backends"]:
        if _attribute(name) != value:
            owner, _, attribute = name.rpartition(".")
            setattr(operator.attrgetter(owner)(torch.backends), attribute, value)
    torch.use_deterministic_algorithms(settings["deterministic"])
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.set_grad_enabled(settings["grad"]))
        if settings["inference"]:
            stack.enter_context(torch.inference_mode())
        for device, dtype in settings["autocast"]:
            stack.enter_context(torch.autocast(device, dtype))
        yield


def _autograd_works() -> bool:
    """Whether this fork can differentiate: not if autograd has threads in its parent."""
    try:
        x = torch.ones((), requires_grad=True)
        torch.autograd.grad(x * 2, x)
    except RuntimeError:
        return False
    return True


def _fake(value: Any, mode: FakeTensorMode) -> Any:
    def made(tensor: torch.Tensor) -> torch.Tensor:
        fake = mode.from_tensor(tensor)
        vars(fake).update(_marks(tensor))
        return fake

    return pytree.tree_map_only(torch.Tensor, made, value)


def _fake_weights(model: torch.nn.Module, mode: FakeTensorMode) -> Callable[[], None]:
    """Replace a model's tensors by fake ones; return what puts them back."""
    replaced = []
    for module in model.modules():
        for owner in (module._parameters, module._buffers, vars(module)):
            for name, value in list(owner.items()):
                if isinstance(value, torch.Tensor):
                    replaced.append((owner, name, value))
                    owner[name] = _fake(value, mode)

    def put_back() -> None:
        for owner, name, value in replaced:
            owner[name] = value

    return put_back


def _compile_without_running(job: _Job) -> None:
    """Compile all calls; run their graphs as they were traced, never what the backend made."""
    options = dict(job.options)
    backend = options.get("backend", "inductor")
    if backend == "inductor":
        _let_inductor_run_graphs()
    else:
        options["backend"] = _runs_graphs(backend)
    modules = _blocks_to_compile(job.model) if job.regional else [job.model]
    _compile_in_place(modules, options)
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


def _count_ops(job: _Job) -> tuple[int, int | None]:
    """How many ops Dynamo traces of the calls: of the whole model, and block by block."""
    whole = _traced(job, [job.model])
    if not job.regional:
        return whole, None
    torch._dynamo.reset()
    return whole, _traced(job, _blocks_to_compile(job.model))


def _traced(job: _Job, modules: list[torch.nn.Module]) -> int:
    counted = 0

    def backend(graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        nonlocal counted
        counted += sum(it.op.startswith("call") for it in graph.graph.nodes)
        forward: Callable[..., Any] = graph.forward
        return forward

    _compile_in_place(modules, {"backend": backend})
    for args, kwargs in job.calls:
        job.model(*args, **kwargs)
    _uncompile(modules)
    return counted


_JOBS: dict[str, Callable[[_Job], Any]] = {
    "compile": _compile_without_running,
    "count": _count_ops,
}
