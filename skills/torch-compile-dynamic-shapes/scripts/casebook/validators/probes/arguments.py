"""The arguments of one call, as a proof gives them and as the probes pass them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


def call(*args: Any, **kwargs: Any) -> Arguments:
    """One call's arguments, for calls that need keywords: `observe(f, [call(x, scale=2.0)])`."""
    return Arguments(args, kwargs)


def as_arguments(given: Sequence[Any] | Arguments) -> Arguments:
    """The arguments of a call that is given as a tuple or by `call(...)`."""
    return given if isinstance(given, Arguments) else Arguments(tuple(given))
