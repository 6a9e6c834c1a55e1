"""The settings of torch that hold while a target runs, and what its code does to hide trouble.

Code may raise a limit around a call and lower it again, so that nothing is left to see afterwards.
So the settings are read whenever Dynamo begins with a frame, and stances are heard of when they are
set. What our own workers set is not the target's.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch._dynamo import convert_frame, decorators, eval_frame

from validators.inspector.loading import own_settings
from validators.probes.switches import replaced

STANCE = "torch.compiler's stance"
SKIPS_GUARDS = "torch.compiler's skip_guard_eval_unsafe"
SILENCED = "what silences torch's logs"
_OURS = f"{Path(__file__).parents[2]}/"
_PASSED = (decorators.__file__, torch.compiler.__file__)
"""Files of torch that pass a call on."""
_DECIDING = (
    "_compile",
    "compute_cache_size",
    "exceeds_cache_size_limit",
    "exceeds_recompile_limit",
    "is_recompilation",
)
"""Functions of Dynamo that count recompilations, on whatever release."""
_FORGETTING = ("reset", "reset_code_caches", "reset_frame_count")
"""Functions of torch._dynamo after which a recompilation counts as none."""
_TRUSTED = (
    *("allow_in_graph", "assume_constant_result", "disallow_in_graph", "leaf_function"),
    *("nonstrict_trace", "substitute_in_graph"),
)
"""Functions of torch.compiler or torch._dynamo that have the compiler believe what it is told."""
_LOGS = ("torch.__trace", "torch._dynamo")


class Held:
    """What held: the values of each setting that differ from the first, and functions called."""

    def __init__(self) -> None:
        self.first = now()
        self.values: dict[str, list[Any]] = {}
        self.called: set[str] = set()
        self._stances: list[Any] = [getattr(eval_frame, "_stance", None)]
        self._deciding = _functions()

    def read(self) -> None:
        """Read all settings."""
        self._note({**now(), STANCE: self.first[STANCE], SKIPS_GUARDS: self.first[SKIPS_GUARDS]})
        for name, function in _functions().items():
            if function is not self._deciding[name]:
                self.called.add(f"replaces {name}")

    def hear(self, stance: Any) -> None:
        """Hear of a stance that code sets."""
        self._stances.append(stance)
        if not _is_ours(sys._getframe(2)):
            self._note(_of_stance(stance))

    def see_stance(self) -> None:
        """Look at the stance: somebody may have set it in another way."""
        stance = getattr(eval_frame, "_stance", None)
        if not any(it is stance for it in self._stances):
            self._note(_of_stance(stance))

    def _note(self, settings: dict[str, Any]) -> None:
        for name, value in settings.items():
            if value != self.first.get(name):
                known = self.values.setdefault(name, [self.first.get(name)])
                if value not in known:
                    known.append(value)


def now() -> dict[str, Any]:
    """The settings as they stand, with what keeps torch from logging."""
    loggers = [logging.getLogger(it) for it in _names()]
    silent = [it.name for it in loggers if it.disabled or it.filters]
    stance = _of_stance(getattr(eval_frame, "_stance", None))
    return {**own_settings.settings(), **stance, SILENCED: [logging.root.manager.disable, *silent]}


@contextlib.contextmanager
def watching() -> Iterator[Held]:
    """Note what holds within the block."""
    held = Held()
    dynamo: Any = torch._dynamo
    with contextlib.ExitStack() as stack:

        def watch(owner: Any, name: str, hear: Callable[..., None]) -> None:
            if hasattr(owner, name):
                heard = _before(getattr(owner, name), hear)
                stack.enter_context(replaced(owner, name, heard))

        watch(convert_frame, "_compile", lambda *_, **__: held.read())
        watch(eval_frame, "_callback_from_stance", lambda *_: held.see_stance())
        for owner in (eval_frame, decorators):
            watch(owner, "_set_stance", held.hear)
        for name in _FORGETTING:
            watch(dynamo, name, functools.partial(_heard, held, f"torch._dynamo.{name}"))
        held._deciding = _functions()
        yield held
        held.read()


@contextlib.contextmanager
def trusting(held: Held) -> Iterator[None]:
    """Note what the block, which compiles nothing, has the compiler believe."""
    with contextlib.ExitStack() as stack:
        for module in (torch.compiler, torch._dynamo):
            for name in _TRUSTED:
                if hasattr(module, name):
                    said = functools.partial(_heard, held, f"{module.__name__}.{name}")
                    stack.enter_context(
                        replaced(module, name, _before(getattr(module, name), said))
                    )
        yield


def _heard(held: Held, name: str, *_args: Any, **_kwargs: Any) -> None:
    if not _is_ours(sys._getframe(2)):
        held.called.add(f"calls {name}")


def _before(real: Callable[..., Any], hear: Callable[..., None]) -> Callable[..., Any]:
    """`real`, of which `hear` hears first."""

    @functools.wraps(real)
    def heard(*args: Any, **kwargs: Any) -> Any:
        hear(*args, **kwargs)
        return real(*args, **kwargs)

    return heard


def _is_ours(frame: Any) -> bool:
    """Whether a call that torch passes on is one of our own."""
    while frame.f_back is not None and frame.f_code.co_filename in _PASSED:
        frame = frame.f_back
    return bool(frame.f_code.co_filename.startswith(_OURS))


def _of_stance(stance: Any) -> dict[str, Any]:
    return {
        STANCE: getattr(stance, "stance", "default"),
        SKIPS_GUARDS: getattr(stance, "skip_guard_eval_unsafe", False),
    }


def _functions() -> dict[str, Any]:
    """The functions that count, by their names in code."""
    found = {name: getattr(convert_frame, name, None) for name in _DECIDING}
    return {f"{convert_frame.__name__}.{name}": it for name, it in found.items()}


def _names() -> list[str]:
    return [it for it in logging.root.manager.loggerDict if it.startswith(_LOGS)]
