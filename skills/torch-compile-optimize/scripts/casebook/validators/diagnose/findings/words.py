"""Places, counts and texts as findings tell them."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Any

from validators.diagnose.findings.finding import Diagnosis, Place
from validators.diagnose.findings.statements import code_at

Found = dict[str, Any]
"""What a worker returned."""
RESUMED = re.compile(r"torch_dynamo_resume_in_(?P<function>.+)_at_(?P<line>\d+)$")
"""The name of the function that Dynamo makes of what follows a graph break."""
CALLED = "called here"
"""Stands in the name of a function that is not the user's: its place is the call."""
_LINES_KEPT = 40
_VARIABLE = re.compile(r"(?<![\w.])[a-z]\w*(?![\w(]|\.\w|\s*=(?!=))")
_COLUMN = re.compile(r"torch-(?P<torch>\d[\w.]*)-(?P<device>\w+)")


def place_of(file: str, line: int, code: str = "") -> Place:
    """A place with the text of its line, which is read if `code` is not given."""
    return Place(file, line, code or code_at(file, line))


def told_at(told: Found) -> Place:
    """The place that a worker told of."""
    return place_of(told["file"], told["line"], told.get("code", ""))


def short(text: str) -> str:
    """The first lines of a text."""
    return "\n".join(text.strip().splitlines()[:_LINES_KEPT])


def several(count: int, noun: str, plural: str = "s") -> str:
    """A number of things: "1 launch", "2 launches"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{plural}"


def often(count: int, calls: int) -> str:
    """How often something happened in so many calls; a recording does not tell them."""
    times = "once" if count == 1 else f"{count} times"
    return f"{times} in {calls} call{'s' if calls > 1 else ''}" if calls else times


def made(diagnosis: Diagnosis) -> str:
    """How many calls or training steps were made."""
    doing = "training step" if diagnosis.trains else "call"
    return f"{diagnosis.calls} {doing}{'s' if diagnosis.calls != 1 else ''}"


def without_ops(found: Found) -> bool:
    """Whether the part `breaks` saw every call warm, and no op in any."""
    share = found.get("compiled_share", 0.0)
    return share is None and not found["raised"] and len(found.get("work", {})) == found["calls"]


def names_in(fix: str) -> set[str]:
    """The names of variables in the code that a fix quotes; no attribute, function or keyword."""
    quoted = (re.sub(r"\"[^\"]*\"|'[^']*'", "", it) for it in re.findall(r"`([^`]+)`", fix))
    words = (it for code in quoted if not code.isidentifier() for it in _VARIABLE.findall(code))
    return {*words} - {*keyword.kwlist, *dir(builtins), "torch", "self", "model", "nn", "F"}


def plainly(there: str) -> str:
    """What evidence says, with the releases of torch and the devices in words."""
    return _COLUMN.sub(lambda it: f"torch {it['torch']} ({it['device'].upper()})", there)


def numbered(calls: list[int]) -> str:
    """Calls by their numbers."""
    return f"call{'s' if len(calls) > 1 else ''} {', '.join(map(str, calls))}"


def joined(words: list[str]) -> str:
    """Words in a row, "and" before the last one."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
