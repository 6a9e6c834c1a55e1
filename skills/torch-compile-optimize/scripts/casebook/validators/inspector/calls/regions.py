"""Modules that a model's author compiles, in place or wrapped: its regions.

A model is diagnosed as its author compiles it. Its own compilations are undone, so that it runs
eagerly, and whoever measures compiles the same modules again, with a backend that tells more.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Any

import torch
from torch._dynamo.eval_frame import OptimizedModule
from torch._dynamo.external_utils import wrap_inline

from validators.inspector.loading.opened import is_users_own
from validators.inspector.loading.own_settings import Asked, kept
from validators.inspector.loading.target import Part, Target, with_part
from validators.inspector.values.sharing import WRAPPED

Options = dict[str, dict[str, Any]]
"""The modules by name, with the options that hold whoever compiles them."""
Undone = dict[str, tuple[torch.nn.Module, bool]]
"""Modules by name, and whether `torch.compile` wrapped them."""


class Regions(Part):
    """A model of which some modules are compiled."""

    def __init__(self, model: torch.nn.Module, options: Options, wrapped: Set[str]) -> None:
        super().__init__(model)
        self.options, self.wrapped = options, wrapped

    def compile_in_place(self, **options: Any) -> Regions:
        """Compile the modules."""
        for name, own in self.options.items():
            module, chosen = self.model.get_submodule(name), {**own, **options}
            if name in self.wrapped and type(module).__module__.startswith("torch.nn."):
                # As the wrapper does: `Module.compile` compiles nothing of torch's own classes.
                run = wrap_inline(module._call_impl)
                module._compiled_call_impl = torch.compile(run, **chosen)
            else:
                module.compile(**chosen)
        return self


def as_compiled(target: Target, asked: Asked) -> tuple[Target, list[str], list[str]]:
    """The target with the regions that its factory compiled, and their names.

    The last list names functions that were compiled, such as a decorated method: Dynamo inlines
    them into what calls them. `asked` is what torch.compile was given. A model that is compiled
    as a whole has no regions: Dynamo inlines the compiled modules of such a model.
    """
    model = target.model
    if model is None or isinstance(model, OptimizedModule) or model._compiled_call_impl:
        return target, [], []
    if _forward_of(model):
        return _without_forward(target), [], []
    given = dict(_modules(asked))
    undone = _undone(model)
    options = {name: kept(given.get(module, {})) for name, (module, _) in undone.items()}
    others = sorted(_functions(asked))
    wrapped = {name for name, (_, is_wrapped) in undone.items() if is_wrapped}
    with_regions = _with_regions(target, options, wrapped) if options else target
    return with_regions, list(options), others


def _without_forward(target: Target) -> Target:
    """The target with its model's compiled forward undone: whoever measures compiles the whole."""
    assert target.model is not None
    del target.model.forward
    return replace(target, again=lambda: _without_forward(target.again()))


def _forward_of(module: torch.nn.Module) -> Any:
    """The forward of a module that its author has compiled and set, None if there is none."""
    method = getattr(vars(module).get("forward"), "_torchdynamo_orig_callable", None)
    return method if getattr(method, "__self__", None) is module else None


def _with_regions(target: Target, options: Options, wrapped: Set[str]) -> Target:
    assert target.model is not None
    part = Regions(target.model, options, wrapped)
    return with_part(target, part, lambda it: _again(it, options, wrapped))


def _again(fresh: Target, options: Options, wrapped: Set[str]) -> Target:
    assert fresh.model is not None
    _undone(fresh.model)
    return _with_regions(fresh, options, wrapped)


def _undone(model: torch.nn.Module) -> Undone:
    """The compiled modules of a model that no other of them holds, by name, compiled no more."""
    done: Undone = {}
    for path, module in list(model.named_modules()):
        name = path.replace(WRAPPED, "")  # what wraps it is undone already
        inside = any(name.startswith(f"{it}.") for it in done)
        wrapped = isinstance(module, OptimizedModule)
        if wrapped:
            parent, _, last = name.rpartition(".")
            setattr(model.get_submodule(parent), last, module._orig_mod)
            module = module._orig_mod
        elif _forward_of(module):
            del module.forward
        elif module._compiled_call_impl is None:
            continue
        module._compiled_call_impl = None
        if not inside:
            done[name] = module, wrapped
    return done


def _modules(asked: Asked) -> Iterator[tuple[torch.nn.Module, dict[str, Any]]]:
    for it, options in asked:
        if module := _module_of(it):
            yield module, options


def _module_of(compiled: Any) -> torch.nn.Module | None:
    """The module that torch.compile was given, or whose call or forward.

    `Module.compile` gives its call.
    """
    whole = getattr(compiled, "__name__", "") in ("_call_impl", "forward")
    it = getattr(compiled, "__self__", None) if whole else compiled
    return it if isinstance(it, torch.nn.Module) else None


def _functions(asked: Asked) -> set[str]:
    """The functions of the user's own files that torch.compile was given, as "Sampler.step"."""
    plain = [inspect.unwrap(it) for it, _ in asked if callable(it) and not _module_of(it)]
    return {
        it.__qualname__.rpartition("<locals>.")[2]
        for it in plain
        if (code := getattr(it, "__code__", None)) and is_users_own(code.co_filename)
    }


def lightning_step(target: Target) -> str:
    """The method that Lightning's Trainer compiles and the target does not call; "" for none."""
    bases = {base.__name__ for base in type(target.model).__mro__}
    return "training_step" if target.trains and "LightningModule" in bases else ""
