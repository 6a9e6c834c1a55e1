"""What a target's own code asks of the compiler: how it calls torch.compile, what it sets."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
from collections.abc import Iterator
from typing import Any

import torch

from validators.inspector.loading.target import Step, Target

_APPLIED = ("dynamic", "fullgraph")
"""Options of torch.compile that hold whoever compiles the target."""
_GUARDS = "guard_filter_fn"
"""The option among `options` that holds, too."""
_OURS = ("use_numpy_random_stream", "fallback_random")
"""Settings that comparing changes."""

Asked = list[tuple[Any, dict[str, Any]]]
"""What torch.compile was given, and the options that were chosen, call by call."""


@contextlib.contextmanager
def noting() -> Iterator[Asked]:
    """Note what the block gives to torch.compile; `Module.compile` calls it, too."""
    real = torch.compile
    asked: Asked = []

    @functools.wraps(real)
    def compile(model: Any = None, **options: Any) -> Any:
        # torch.compile takes out of the options what it uses itself.
        kept = {name: dict(it) if type(it) is dict else it for name, it in options.items()}
        asked.append((model, {name: it for name, it in kept.items() if _chosen(name, it)}))
        return real(model, **options)

    torch.compile = compile
    try:
        yield asked
    finally:
        torch.compile = real


def _chosen(name: str, value: Any) -> bool:
    """Whether an option asks for anything: `dynamic=False` is no default."""
    return value is not None and (value is not False or name == "dynamic")


def uncompiled(target: Target) -> Target:
    """The target without what its factory compiled as a whole: whoever measures compiles it."""
    if target.model is None:
        return target
    model = _without_wrapper(target.model)
    if model._compiled_call_impl is not None:
        model._compiled_call_impl = None
    run: Any = model
    if isinstance(target.run, Step):
        run = target.run
        run.model = run._forward = model
    return dataclasses.replace(
        target, run=run, model=model, again=lambda: uncompiled(target.again())
    )


def applied(asked: Asked, target: Target) -> dict[str, Any]:
    """The options with which a factory compiled all of its target, and that still hold."""
    if target.model is not None:
        whole: Any = _without_wrapper(target.model)
    else:
        whole = getattr(target.run, "_torchdynamo_orig_callable", target.run)
    given: dict[str, Any] = {}
    for model, options in asked:
        if model is whole or getattr(model, "__self__", None) is whole:
            given = options
    found = kept(given)
    if _GUARDS in given.get("options", {}):
        found["options"] = {_GUARDS: given["options"][_GUARDS]}
    return found


def kept(given: dict[str, Any]) -> dict[str, Any]:
    """The options that hold whoever compiles."""
    return {name: given[name] for name in _APPLIED if name in given}


def told(asked: Asked) -> list[str]:
    """The options of torch.compile that change what is compiled, each as `name=value`.

    The default backend changes nothing.
    """
    found = set()
    for _, options in asked:
        for name, value in options.items():
            if name != "fullgraph" and (name, value) != ("backend", "inductor"):
                known = ", ".join(value) if isinstance(value, dict) else _repr(value)
                found.add(f"{name}={known}")
    return sorted(found)


def _repr(value: Any) -> str:
    """A value in code; of a function its name, as its address is another in each process."""
    return str(getattr(value, "__name__", "")) or repr(value)


def settings() -> dict[str, Any]:
    """The settings of torch as they stand, by their names in code: those that change what runs."""
    found: dict[str, Any] = {}
    for module in ("torch._dynamo.config", "torch._inductor.config"):
        config = importlib.import_module(module)
        for name, value in config.get_config_copy().items():
            known = isinstance(value, (bool, int, float, str, type(None)))
            if known and name not in _OURS and not getattr(config._config[name], "alias", None):
                found[f"{module}.{name}"] = value
    return {
        **found,
        "torch's float32_matmul_precision": torch.get_float32_matmul_precision(),
        "torch's default dtype": str(torch.get_default_dtype()),
    }


def _without_wrapper(model: Any) -> Any:
    """The module that torch.compile was given."""
    while hasattr(model, "_orig_mod"):
        model = model._orig_mod
    return model
