"""Modules that a model's author compiles, in place or wrapped: its regions.

A model is diagnosed as its author compiles it. Its own compilations are undone, so that it runs
eagerly, and whoever measures compiles the same modules again, with a backend that tells more.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch._dynamo.eval_frame import OptimizedModule

from validators.worker.opened import is_users_own
from validators.worker.own_settings import APPLIED, Asked
from validators.worker.sharing import WRAPPED
from validators.worker.target import Part, Step, Target

Options = dict[str, dict[str, Any]]
"""The modules by name, with the options that hold whoever compiles them."""


class Regions(Part):
    """A model of which some modules are compiled."""

    def __init__(self, model: torch.nn.Module, options: Options) -> None:
        super().__init__(model)
        self.options = options

    def compile_in_place(self, **options: Any) -> Regions:
        """Compile the modules."""
        for name, own in self.options.items():
            self.model.get_submodule(name).compile(**{**own, **options})
        return self


class RegionsStep(Step):
    """A training step that compiles some modules of the model."""

    def __init__(self, step: Step, options: Options) -> None:
        self.__dict__.update(step.__dict__)
        self.options = options

    def compile_in_place(self, **options: Any) -> RegionsStep:
        """Compile the modules of this step's model."""
        self.before_loss().compile_in_place(**options)
        return self

    def before_loss(self) -> Regions:
        """The model with the modules."""
        return Regions(self.model, self.options)


def as_compiled(target: Target, asked: Asked) -> tuple[Target, list[str], list[str]]:
    """The target with the regions that its factory compiled, and their names.

    The last list names functions that were compiled, such as a decorated method: Dynamo inlines
    them into what calls them. `asked` is what torch.compile was given. A model that is compiled
    as a whole has no regions: Dynamo inlines the compiled modules of such a model.
    """
    model = target.model
    if model is None or isinstance(model, OptimizedModule) or model._compiled_call_impl:
        return target, [], []
    given = {id(it): options for it, options in _modules(asked)}
    options = {
        name: {it: given[key][it] for it in APPLIED if it in given.get(key, ())}
        for name, module in _undone(model)
        for key in [id(module)]
    }
    others = sorted(_functions(asked))
    return (_with_regions(target, options) if options else target), list(options), others


def _with_regions(target: Target, options: Options) -> Target:
    assert target.model is not None
    run: Any = (
        RegionsStep(target.run, options)
        if isinstance(target.run, Step)
        else Regions(target.model, options)
    )

    def again() -> Target:
        fresh = target.again()
        assert fresh.model is not None
        list(_undone(fresh.model))
        return _with_regions(fresh, options)

    return replace(target, run=run, again=again)


def _undone(model: torch.nn.Module) -> Iterator[tuple[str, torch.nn.Module]]:
    """The compiled modules of a model that no other of them holds, by name, compiled no more."""
    done: list[str] = []
    for path, module in list(model.named_modules()):
        name = path.replace(WRAPPED, "")  # what wraps it is undone already
        inside = any(name.startswith(f"{it}.") for it in done)
        if isinstance(module, OptimizedModule):
            parent, _, last = name.rpartition(".")
            setattr(model.get_submodule(parent), last, module._orig_mod)
            module = module._orig_mod
        elif module._compiled_call_impl is None:
            continue
        module._compiled_call_impl = None
        if not inside:
            done.append(name)
            yield name, module


def _modules(asked: Asked) -> Iterator[tuple[torch.nn.Module, dict[str, Any]]]:
    for it, options in asked:
        if module := _module_of(it):
            yield module, options


def _module_of(compiled: Any) -> torch.nn.Module | None:
    """The module that torch.compile was given, or whose call; `Module.compile` gives that."""
    whole = getattr(compiled, "__name__", "") == "_call_impl"
    it = compiled.__self__ if whole else compiled
    return it if isinstance(it, torch.nn.Module) else None


def _functions(asked: Asked) -> set[str]:
    """The functions of the user's own files that torch.compile was given, as "Sampler.step"."""
    plain = [inspect.unwrap(it) for it, _ in asked if callable(it) and not _module_of(it)]
    return {
        it.__qualname__.rpartition("<locals>.")[2]
        for it in plain
        if (code := getattr(it, "__code__", None)) and is_users_own(code.co_filename)
    }
