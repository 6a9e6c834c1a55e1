"""Record what a program compiles, and how it calls that: the outermost calls alone."""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from validators.probes.arguments import Arguments

MARKS = "_dynamo_"
"""How the attributes begin by which Dynamo marks a tensor."""

_GUARDS = "guard_filter_fn"
"""The one of Inductor's options that holds under any backend."""


@dataclass(frozen=True)
class Setting:
    """What a call depends on besides its arguments: how gradients are recorded, and autocast."""

    grad: bool
    inference: bool
    autocast: torch.dtype | None

    @classmethod
    def now(cls) -> Setting:
        """The setting as it stands."""
        autocast = torch.is_autocast_enabled("cpu")
        return cls(
            torch.is_grad_enabled(),
            torch.is_inference_mode_enabled(),
            torch.get_autocast_dtype("cpu") if autocast else None,
        )

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Have this setting within the block."""
        with contextlib.ExitStack() as stack:
            if self.inference:
                stack.enter_context(torch.inference_mode())
            stack.enter_context(torch.set_grad_enabled(self.grad))
            if self.autocast is not None:
                stack.enter_context(torch.autocast("cpu", dtype=self.autocast))
            yield


@dataclass(eq=False)
class Compiled:
    """Something that a program compiled.

    `run` is what torch.compile returned, `original` what it was given, with `options`. `given` are
    the arguments of the last call that returned, as they were before it, in `setting`.
    """

    run: Callable[..., Any]
    original: Any
    options: dict[str, Any]
    given: Arguments | None = None
    setting: Setting | None = None

    @property
    def owner(self) -> torch.nn.Module | None:
        """The module that was compiled, or one method of it; None if there is none."""
        owner = getattr(self.original, "__self__", self.original)
        return owner if isinstance(owner, torch.nn.Module) else None

    def without_inductor(self) -> Callable[..., Any]:
        """The same, compiled with the backend `aot_eager` where Inductor was to compile it."""
        options = _without_inductor(self.options)
        return self.run if options is None else _compiled(self.original, options)

    def anew(self) -> Callable[..., Any]:
        """A copy of the module, compiled in the same way, but not by Inductor."""
        options = _without_inductor(self.options) or copied_options(self.options)
        owner = copy.deepcopy(self.owner)
        if isinstance(self.original, torch.nn.Module):
            return _compiled(owner, options)
        return _compiled(getattr(owner, self.original.__name__), options)


class Recorder:
    """Notes what is compiled within `recording`, and the calls of that."""

    def __init__(self) -> None:
        self.compiled: list[Compiled] = []
        self._depth = 0

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Record within the block; `Module.compile` calls torch.compile, too."""
        real = torch.compile

        @functools.wraps(real)
        def compile(model: Any = None, **options: Any) -> Any:
            if model is None:
                return lambda function: compile(function, **options)
            kept = copied_options(options)
            return self._noted(real(model, **options), model, kept)

        torch.compile = compile
        try:
            yield
        finally:
            torch.compile = real
            self._depth += 1  # What comes later is not the program's.

    def called(self) -> list[Compiled]:
        """What was called from outside of compiled code, in the order of its first call."""
        return [it for it in self.compiled if it.given is not None]

    def _noted(self, made: Any, original: Any, options: dict[str, Any]) -> Any:
        """What torch.compile made, whose calls are recorded."""
        if isinstance(made, torch.nn.Module):
            it = Compiled(made, original, options)
            made.forward = self._recorded(made.forward, it)
            return made
        if not callable(made):
            return made
        it = Compiled(made, original, options)
        return self._recorded(made, it)

    def _recorded(self, run: Callable[..., Any], it: Compiled) -> Callable[..., Any]:
        # The copied attributes lead Dynamo to the function that was compiled.
        @functools.wraps(run)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling() or self._depth or _in_a_mode():
                return run(*args, **kwargs)
            setting = Setting.now()
            given = _copied_or_none(Arguments(args, kwargs))
            self._depth += 1
            try:
                returned = run(*args, **kwargs)
            finally:
                self._depth -= 1
            if given is not None:
                it.given, it.setting = given, setting
                if it not in self.compiled:
                    self.compiled.append(it)
            return returned

        return recorded


def _without_inductor(options: dict[str, Any]) -> dict[str, Any] | None:
    """The options with another backend; None if they name one already."""
    if options.get("backend", "inductor") != "inductor":
        return None
    given = options.get("options") or {}
    kept = {name: it for name, it in given.items() if name == _GUARDS}
    rest = {name: it for name, it in options.items() if name not in ("mode", "options")}
    return {**rest, "backend": "aot_eager", **({"options": kept} if kept else {})}


def _compiled(original: Any, options: dict[str, Any]) -> Callable[..., Any]:
    made: Callable[..., Any] = torch.compile(original, **options)
    return made


def with_own_tensors(given: Arguments) -> Arguments:
    """The arguments with tensors of their own.

    Modules, parameters and other objects stay the same ones: a program passes them again, too.
    """
    inside = (given.args, given.kwargs)
    memo: dict[int, Any] = {}
    for leaf in tree_leaves(inside):
        if not isinstance(leaf, torch.Tensor) or isinstance(leaf, torch.nn.Parameter):
            memo[id(leaf)] = leaf
        elif not leaf.is_leaf or leaf.is_inference():
            made = leaf.detach().clone().requires_grad_(leaf.requires_grad)
            memo[id(leaf)] = marked_like(leaf, made)
    return Arguments(*copy.deepcopy(inside, memo))


def marked_like(value: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """A tensor with the marks of Dynamo that another one has."""
    for name, mark in vars(value).items():
        if name.startswith(MARKS):
            setattr(made, name, copy.copy(mark))
    return made


def copied_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options of torch.compile, which takes out of them what it uses itself."""
    return {name: dict(it) if type(it) is dict else it for name, it in options.items()}


def _copied_or_none(given: Arguments) -> Arguments | None:
    """The arguments with copies of their tensors; None if they cannot be copied."""
    if any(_cannot_be_copied(it) for it in tree_leaves((given.args, given.kwargs))):
        return None
    try:
        with torch.inference_mode(False):
            return with_own_tensors(given)
    except Exception:
        return None


def _cannot_be_copied(value: Any) -> bool:
    """Whether a tensor has no values, or is a nested one, whose lengths torch knows by identity."""
    return isinstance(value, torch._subclasses.FakeTensor) or (
        isinstance(value, torch.Tensor) and (value.is_meta or value.is_nested)
    )


def _in_a_mode() -> bool:
    """Whether a mode sees all ops: outside of it, the same call is another one."""
    return torch.utils._python_dispatch._get_current_dispatch_mode() is not None
