"""Load what a user wants diagnosed: a factory that returns a model or function and its calls.

A factory takes no arguments and returns `(target, calls)` or `(target, calls, loss)`.

- `target` is a `torch.nn.Module` or a function.
- `calls` is a list. Each call is a tuple of arguments, a dict of keyword arguments, one tensor, or
  a pair of both: `((x, y), {"scale": 2.0})`. It is a pair if the target has parameters of all those
  names and takes them together; otherwise its two parts are two arguments.
- `loss` takes the target's output and returns a scalar tensor. With it, each call is a training
  step: forward, loss, backward and AdamW.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.namesake import lend_name
from validators.probes.arguments import Arguments
from validators.probes.differences import copied_inputs
from validators.probes.switches import force_eager
from validators.probes.training import TrainingStep
from validators.worker.user_code import module_of, with_remedy


class TargetError(Exception):
    """The target cannot be used; the message is one sentence with a remedy."""


class Step(TrainingStep):
    """One training step per call: forward, loss, backward and AdamW, of which forward compiles."""

    def __init__(self, model: torch.nn.Module, loss: Callable[[Any], torch.Tensor]) -> None:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        super().__init__(model, optimizer, lambda output, _: loss(output))

    def __call__(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        """Take one step; return the loss, detached."""
        self.optimizer.zero_grad()
        loss = self.loss(self._forward(*args, **kwargs), None)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def before_loss(self) -> Callable[..., Any]:
        """What a step does before its loss."""
        model: Callable[..., Any] = self.model
        return model


class Part(ABC):
    """A model of which a part is compiled, and the rest runs as it is."""

    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the model."""
        return self.model(*args, **kwargs)

    @abstractmethod
    def compile_in_place(self, **options: Any) -> Part:
        """Compile the part."""


class Method(Part):
    """A model of which one method is compiled."""

    def __init__(self, model: torch.nn.Module, name: str) -> None:
        super().__init__(model)
        self.name = name

    def compile_in_place(self, **options: Any) -> Method:
        """Compile the method of this model; its class stays as it is."""
        setattr(self.model, self.name, torch.compile(getattr(self.model, self.name), **options))
        return self


class PartStep(Step):
    """A training step that compiles a part of the model."""

    def __init__(self, step: Step, part: Part) -> None:
        self.__dict__.update(step.__dict__)
        self.part = part

    def compile_in_place(self, **options: Any) -> PartStep:
        """Compile the part of this step's model."""
        self.part.compile_in_place(**options)
        return self

    def before_loss(self) -> Part:
        """The model with the part."""
        return self.part


@dataclass(frozen=True)
class Target:
    """What is diagnosed: `run` is the target or its training step.

    `again` calls the factory once more, for a target that no call has changed. `form` says how the
    factory writes its calls, "" if in several ways.
    """

    run: Callable[..., Any]
    model: torch.nn.Module | None
    calls: tuple[Arguments, ...]
    trains: bool
    again: Callable[[], Target]
    form: str = ""


def load(
    spec: str,
    folder: str,
    paths: list[str],
    large: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Target:
    """The target that `spec` names, `module:factory` or `file.py:factory`.

    `folder` becomes the working directory, and `paths` come first in the search for modules.
    `large` is passed to a factory that has such an argument. `tell` hears what happens next.

    Raises:
        TargetError: the factory is missing, or returns something else.
    """
    os.chdir(folder)
    sys.path[:0] = paths
    lend_name()
    place, _, name = spec.rpartition(":")
    tell(f"imported {place}")
    with _naming(f"{place} cannot be imported"):
        module = _module(place)
    if not hasattr(module, name):
        raise TargetError(f"{place} has no {name!r}; name a function of it")
    factory = getattr(module, name)
    if large and "large" in inspect.signature(factory).parameters:
        factory = functools.partial(factory, large=True)
    tell(f"called {spec}")
    made = _made(spec, factory)
    tell("made the calls")
    return made


def _made(spec: str, factory: Callable[[], Any]) -> Target:
    torch.manual_seed(0)
    with _naming(f"{spec} cannot be called"):
        returned = factory()
    if not isinstance(returned, tuple) or len(returned) not in (2, 3):
        kind = type(returned).__name__
        raise TargetError(f"{spec} returned {kind}; return (model, calls) or (model, calls, loss)")
    return _target(spec, lambda: _made(spec, factory), *returned)


def with_method(target: Target, name: str) -> Target:
    """The target with only the method `name` of its model compiled.

    Raises:
        TargetError: it has no such method, or no call gets there.
    """
    if target.model is None or not callable(getattr(target.model, name, None)):
        kind = "function" if target.model is None else type(target.model).__name__
        raise TargetError(f"--compile-core: {kind} has no method {name!r}; name one of its methods")
    if not _reached(target.again(), name):
        kind = type(target.model).__name__
        raise TargetError(f"--compile-core: no call gets to {kind}.{name}; name a method that runs")
    return _with_method(target, name)


def _reached(target: Target, name: str) -> bool:
    """Whether any call runs the method `name`; one that raises is told by the part `breaks`."""
    reached = []
    real = getattr(target.model, name)

    def method(*args: Any, **kwargs: Any) -> Any:
        reached.append(name)
        return real(*args, **kwargs)

    setattr(target.model, name, method)
    for item in copies(target):
        try:
            with force_eager():
                target.run(*item.args, **item.kwargs)
        except Exception:
            return True
        if reached:
            return True
    return False


def _with_method(target: Target, name: str) -> Target:
    assert target.model is not None
    return with_part(target, Method(target.model, name), lambda it: _with_method(it, name))


def with_part(target: Target, part: Part, anew: Callable[[Target], Target]) -> Target:
    """The target with only a part of its model compiled; `anew` does so to another of its kind."""
    run = PartStep(target.run, part) if isinstance(target.run, Step) else part
    return replace(target, run=run, again=lambda: anew(target.again()))


def forward_of(target: Target) -> Callable[..., Any]:
    """What a call does before its loss."""
    return target.run.before_loss() if isinstance(target.run, Step) else target.run


def tensors_in(value: Any) -> list[torch.Tensor]:
    """The tensors that a value of lists, tuples and dicts holds."""
    return [it for it in pytree.tree_leaves(value) if isinstance(it, torch.Tensor)]


def copy_of(call: Arguments) -> Arguments:
    """A call with tensors of its own, so that nobody sees what another run of it changed."""
    return Arguments(*copied_inputs((call.args, call.kwargs)))


def copies(target: Target) -> list[Arguments]:
    """All calls of a target, each with tensors of its own."""
    return [copy_of(it) for it in target.calls]


def check_mode(mode: str | None) -> None:
    """See whether torch has a mode.

    Raises:
        TargetError: it does not.
    """
    if mode is None:
        return
    known = ["default", *(it for it in torch._inductor.list_mode_options() if it != "default")]
    if mode not in known:
        said = f"torch {torch.__version__} has no such mode; name one of {', '.join(known)}"
        raise TargetError(f"--mode {mode}: {said}")


def compiled(run: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """`run` compiled with `options`: of a training step the model, or what of it is chosen."""
    if isinstance(run, (Step, Part)):
        return run.compile_in_place(**options)
    made: Callable[..., Any] = torch.compile(run, **options)
    return made


def without_mode(options: dict[str, Any]) -> dict[str, Any]:
    """The options for a backend that has no modes."""
    return {name: value for name, value in options.items() if name != "mode"}


def for_backend(backend: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options without those of Inductor alone, for another backend."""
    kept = {name: value for name, value in options.items() if name not in ("mode", "options")}
    return {**kept, "backend": backend}


@contextlib.contextmanager
def _naming(what: str) -> Iterator[None]:
    """Say of an exception of the user's code what failed."""
    try:
        yield
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise TargetError(f"{what}: {with_remedy(error)}") from error


def _module(place: str) -> ModuleType:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    path = Path(place).resolve()
    sys.path.insert(0, str(path.parent))
    return module_of(path)


def _target(
    spec: str, again: Callable[[], Target], target: Any, calls: Any, loss: Any = None
) -> Target:
    if not callable(target):
        raise TargetError(f"{spec} returned a target that cannot be called; return a module first")
    if isinstance(calls, (torch.Tensor, Mapping)) or not hasattr(calls, "__iter__"):
        raise TargetError(f"{spec} returned calls that are not a list; return [(x,), (y,)] second")
    calls = list(calls)
    made = tuple(_arguments(spec, target, it) for it in calls)
    if not made:
        raise TargetError(
            f"{spec} returned no calls; return at least one, better two of other sizes"
        )
    model = target if isinstance(target, torch.nn.Module) else None
    forms = {_form(target, it) for it in calls}
    form = forms.pop() if len(forms) == 1 else ""
    if loss is None:
        return Target(target, model, made, trains=False, again=again, form=form)
    if not callable(loss):
        kind = type(loss).__name__
        raise TargetError(f"{spec} returned {kind} as loss; return a function of the output third")
    if model is None:
        raise TargetError(f"{spec} returned a loss that cannot train; it needs a torch.nn.Module")
    return Target(Step(model, loss), model, made, trains=True, again=again, form=form)


def _arguments(spec: str, target: Callable[..., Any], given: Any) -> Arguments:
    if isinstance(given, Arguments):
        return given
    if isinstance(given, Mapping):
        return Arguments((), dict(given))
    if isinstance(given, torch.Tensor):
        return Arguments((given,))
    if isinstance(given, (tuple, list)):
        pair = _is_pair(target, given)
        return Arguments(tuple(given[0]), dict(given[1])) if pair else Arguments(tuple(given))
    kind = type(given).__name__
    raise TargetError(f"{spec} returned a call of type {kind}; use a tuple, a dict or a tensor")


def _form(target: Callable[..., Any], given: Any) -> str:
    """How a call is written: "pair", "tuple", "dict" or "tensor"; "" if in another way."""
    if isinstance(given, (tuple, list)):
        return "pair" if _is_pair(target, given) else "tuple"
    known = (Mapping, "dict"), (torch.Tensor, "tensor")
    return next((form for kind, form in known if isinstance(given, kind)), "")


def _is_pair(target: Callable[..., Any], given: Sequence[Any]) -> bool:
    """Whether a call is its arguments and its keywords, and not two arguments."""
    if len(given) != 2 or not isinstance(given[0], tuple) or not isinstance(given[1], Mapping):
        return False
    function = target.forward if isinstance(target, torch.nn.Module) else target
    try:
        signature = inspect.signature(function)
        signature.bind(*given[0], **given[1])
    except (TypeError, ValueError):
        return False
    named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    known = {it.name for it in signature.parameters.values() if it.kind in named}
    return {*given[1]} <= known
