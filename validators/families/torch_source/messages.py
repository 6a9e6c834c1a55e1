"""Warnings that users see: of Python's `warnings`, and of loggers at the level of warnings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from validators.families.torch_source.formats import letters_of, slug_of
from validators.families.torch_source.found import Found
from validators.families.torch_source.guards import LIMIT
from validators.families.torch_source.installed import Release
from validators.families.torch_source.reading import name_of

PLACES = (
    "__init__.py",
    "_dynamo",
    "_export",
    "_functorch",
    "_guards.py",
    "_higher_order_ops",
    "_inductor",
    "_library",
    "_logging",
    "_subclasses",
    "compiler",
    "export",
    "fx/experimental",
)
_SAY = (
    "critical",
    "deprecated",
    "error",
    "exception",
    "user_warning",
    "warn",
    "warn_once",
    "warning",
    "warning_once",
)
_LOGGERS = ("log", "logger", "warnings", "logging")
_LEAST_LETTERS = 25
_OF_TESTS = ("test", "benchmark", "autoheuristic/", "fuzzer")


def warnings(release: Release) -> Iterator[Found]:
    """The messages of at least 25 letters, by their first words.

    Not those of loggers that `TORCH_LOGS` has to turn on, unless they warn.
    """
    for file in release.files(*PLACES, holding=tuple(f"{it}(" for it in _SAY)):
        if any(it in file.name for it in _OF_TESTS):
            continue
        for place, call, name in file.calls():
            if name in _SAY and _is_logger(call.func):
                for text in file.logged(call, place):
                    told = letters_of(text) >= _LEAST_LETTERS and LIMIT not in text
                    if told and (key := slug_of(text)):
                        yield Found(key=key, format=text.strip(), file=file.name)


def _is_logger(function: ast.expr) -> bool:
    """Whether this is a logger's method, or a function that warns by itself."""
    if isinstance(function, ast.Name):
        return function.id.startswith(("warn", "deprecated"))
    owner = name_of(function.value) if isinstance(function, ast.Attribute) else ""
    last = owner.rpartition(".")[2]
    return last in _LOGGERS or last.endswith(("_log", "_logger", "log")) or last == "utils"
