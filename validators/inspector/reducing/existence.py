"""Ask the torch of this interpreter what exists: JSON in, JSON out; needs torch and nothing else.

    python existence.py < claims.json

Input is a list of `{"what", "subject", "argument"}`. Output is `{"torch", "answers"}`: the release,
and for each claim true, false, or null where this torch cannot tell.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import io
import json
import re
import sys
import types
from pathlib import Path
from typing import Any

_VARIABLES = re.compile(rb"\b(?:TORCH|AOT_INDUCTOR)[A-Z0-9]*_[A-Z0-9_]+\b")


def main() -> None:
    """Answer the claims on standard input."""
    claims = json.load(sys.stdin)
    with contextlib.redirect_stdout(io.StringIO()):
        import torch

        answers = [_answer(it["what"], it["subject"], it["argument"]) for it in claims]
    print(json.dumps({"torch": torch.__version__.split("+")[0], "answers": answers}))


def _answer(what: str, subject: str, argument: str) -> bool | None:
    try:
        return _ASKED[what](subject, argument)
    except Exception:  # an import that fails here says nothing about the name
        return None


_MISSING = object()
_DYNAMO_OPTIONS = ("guard_filter_fn",)
"""What `options` may hold beside Inductor's own."""


def _name(subject: str, _argument: str) -> bool | None:
    if subject.startswith("torch.ops."):
        return None  # ops are registered by the code that uses them
    found, parent = _resolved(subject)
    if found is not _MISSING:
        return True
    # Instances may have what their class lacks.
    return False if isinstance(parent, types.ModuleType) or _is_config(parent) else None


def _resolved(subject: str) -> tuple[Any, Any]:
    """What a dotted name stands for, and what it was looked up in."""
    first, *rest = subject.split(".")
    found: Any = importlib.import_module(first)
    parent: Any = None
    path = first
    for part in rest:
        parent, path = found, f"{path}.{part}"
        found = getattr(parent, part, _MISSING)
        if found is _MISSING and isinstance(parent, types.ModuleType):
            with contextlib.suppress(ModuleNotFoundError):
                found = importlib.import_module(path)
        if found is _MISSING:
            return _MISSING, parent
    return found, parent


def _is_config(value: Any) -> bool:
    return type(value).__name__ in ("ConfigModuleInstance", "SubConfigProxy")


def _keyword(subject: str, argument: str) -> bool | None:
    function, _ = _resolved(subject)
    if function is _MISSING:
        return None
    parameters = inspect.signature(function).parameters.values()
    if any(it.kind is it.VAR_KEYWORD for it in parameters):
        return None
    return any(it.name == argument and it.kind is not it.POSITIONAL_ONLY for it in parameters)


def _logs(subject: str, _argument: str) -> bool | None:
    from torch._logging import _internal

    if not subject or any(mark in subject for mark in "$<>*{"):
        return None
    try:
        _internal._parse_log_settings(subject)
    except ValueError:
        return False
    return True


def _variable(subject: str, _argument: str) -> bool:
    return subject.encode() in _variables()


@functools.cache
def _variables() -> frozenset[bytes]:
    """All names of variables in torch's own source."""
    import torch

    found: set[bytes] = set()
    for file in Path(torch.__file__).parent.rglob("*.py"):
        found.update(_VARIABLES.findall(file.read_bytes()))
    return frozenset(found)


def _mode(subject: str, _argument: str) -> bool:
    from torch._inductor import list_mode_options

    return subject == "default" or subject in list_mode_options()


def _option(subject: str, _argument: str) -> bool:
    from torch._inductor import config

    return subject in _DYNAMO_OPTIONS or subject.replace("-", "_") in config.get_config_copy()


_ASKED = {
    "name": _name,
    "keyword": _keyword,
    "logs": _logs,
    "variable": _variable,
    "mode": _mode,
    "option": _option,
}

if __name__ == "__main__":
    main()
