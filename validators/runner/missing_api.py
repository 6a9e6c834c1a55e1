"""What a proof asks of torch or Triton that the release does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from validators.runner.verdict import Report, caught_facts

_PART = r"(?:torch|triton)(?:\.\w+)*"
_MISSING = (
    re.compile(rf"AttributeError: module '(?P<of>{_PART})' has no attribute '(?P<name>\w+)'"),
    re.compile(rf"ImportError: cannot import name '(?P<name>\w+)' from '(?P<of>{_PART})'"),
    re.compile(rf"ModuleNotFoundError: No module named '(?P<of>{_PART})\.(?P<name>\w+)'"),
    re.compile(rf"AttributeError: (?P<of>{_PART})\.(?P<name>\w+) does not exist"),
)
"""How Python and torch's settings say so."""
_KEYWORD = re.compile(
    r"TypeError: (?P<of>[\w.]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'"
)


def missing_api(said: Iterable[str], source: str) -> str:
    """The name that the release lacks, such as `torch._dynamo.nonsense`; "" if there is none.

    Args:
        said: What arms raised, each with its type.
        source: The proof's source. A name that it does not have is torch's own affair, and then
            torch is broken, which is an error.
    """
    for text in said:
        for found in filter(None, (it.search(text) for it in _MISSING)):
            if re.search(rf"\b{found['name']}\b", source):
                return f"{found['of']}.{found['name']}"
        found = _KEYWORD.search(text)
        if found and re.search(rf"\b{found['name']}\b", source):
            return f"{found['of']}({found['name']}=...)"
    return ""


def raised_in(report: Report) -> Iterator[str]:
    """What a probe caught in an arm, each with its type."""
    if raised := report["exception"]:
        yield f"{raised['type']}: {raised['message']}"
    yield from (f"{kind}: {message}" for kind, message in caught_facts(report))
