"""Facts: what a torch build holds, read without compiling anything."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import torch._dynamo

from validators.probes.report import Fact, Report
from validators.probes.text import clean, qualified

_MISSING = object()


def api_places(*dotted: str) -> Report:
    """One fact per dotted name: whether it resolves, its modules imported as needed.

    `api_places("torch._dynamo.mark_dynamic").facts == {"torch._dynamo.mark_dynamic": True}`
    """
    return Report(facts={name: _resolve(name) is not _MISSING for name in dotted})


def config_values(*dotted: str) -> Report:
    """One fact per dotted name: its value, such as `torch._dynamo.config.recompile_limit`.

    Raises LookupError for a name that does not resolve (`api_places` asks that), TypeError for a
    value that is not plain data.
    """
    facts: dict[str, Fact] = {}
    for name in dotted:
        value = _resolve(name)
        if value is _MISSING:
            raise LookupError(f"{name} does not resolve in torch {torch.__version__}.")
        facts[name] = plain(name, value)
    return Report(facts=facts)


def mode_options() -> Report:
    """A fact "MODE.OPTION" for each option that a `torch.compile` mode sets; "MODE" counts them."""
    from torch._inductor import list_mode_options

    facts: dict[str, Fact] = {}
    for mode, options in list_mode_options().items():
        facts[mode] = len(options)
        for option, value in options.items():
            facts[f"{mode}.{option}"] = plain(option, value)
    return Report(facts=facts)


def captured_facts(**callables: Callable[[], Any]) -> Report:
    """Run each callable, with Dynamo reset before it, and keep what it returned or raised.

    `captured_facts(size=f)` gives the fact "size" with f's result, or, where f raised, the facts
    "size.exception" (qualified type) and "size.message". Raises TypeError for a result that is
    not plain data: a scalar, a list or tuple of scalars, or a dict from names to scalars.
    """
    facts: dict[str, Fact] = {}
    for name, function in callables.items():
        torch._dynamo.reset()
        try:
            value = function()
        except Exception as error:
            facts[f"{name}.exception"] = qualified(type(error))
            facts[f"{name}.message"] = clean(str(error))
            continue
        facts[name] = plain(name, value)
    return Report(facts=facts)


def plain(name: str, value: Any) -> Fact:
    """`value` as a fact, tuples as lists; raises TypeError where it is not plain data."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) and all(map(_scalar, value)):
        return list(value)
    if isinstance(value, dict) and all(map(_scalar, value.values())):
        return {str(key): item for key, item in value.items()}
    raise TypeError(
        f"The fact {name!r} is a {qualified(type(value))}; return a scalar, a list of scalars or "
        "a dict from names to scalars."
    )


def _scalar(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


def _resolve(dotted: str) -> Any:
    """The object at a dotted name, or `_MISSING`."""
    head, *rest = dotted.split(".")
    try:
        value: Any = importlib.import_module(head)
    except ImportError:
        return _MISSING
    place = head
    for part in rest:
        place = f"{place}.{part}"
        found = getattr(value, part, _MISSING)
        if found is _MISSING:
            try:
                found = importlib.import_module(place)
            except ImportError:
                return _MISSING
        value = found
    return value
