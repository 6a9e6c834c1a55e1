"""Settings of torch that hold while a target is looked at."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterable, Iterator
from typing import Any

from validators.inspector.loading.target import TargetError

Setting = tuple[str, str, Any]
"""A module of settings, the name of one, and a value."""


def config(place: str) -> Any:
    """A module of settings by its name."""
    return importlib.import_module(place)


def known(setting: Setting) -> bool:
    """Whether this torch has a setting that the value would change."""
    place, name, value = setting
    there = config(place).get_config_copy()
    return name in there and there[name] != value


@contextlib.contextmanager
def holding(settings: Iterable[Setting]) -> Iterator[None]:
    """Have settings hold for a while.

    Raises:
        TargetError: this torch has no such setting, or the value is what it has.
    """
    with contextlib.ExitStack() as stack:
        for place, name, value in settings:
            if not known((place, name, value)):
                raise TargetError(f"{place}.{name} = {value!r} changes nothing in this torch")
            stack.enter_context(config(place).patch({name: value}))
        yield
