"""What a proof asks of torch or Triton that the release does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from validators.runner.verdict import Report, caught_facts

_PART = r"(?:torch|triton)(?:\.\w+)*"
_MISSING = {
    re.compile(pattern): name
    for pattern, name in (
        (
            rf"AttributeError: module '(?P<of>{_PART})' has no attribute '(?P<name>\w+)'",
            "{of}.{name}",
        ),
        (rf"ImportError: cannot import name '(?P<name>\w+)' from '(?P<of>{_PART})'", "{of}.{name}"),
        (rf"ModuleNotFoundError: No module named '(?P<of>{_PART})\.(?P<name>\w+)'", "{of}.{name}"),
        (rf"AttributeError: (?P<of>{_PART})\.(?P<name>\w+) does not exist", "{of}.{name}"),
        (
            r"TypeError: (?P<of>[\w.]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'",
            "{of}({name}=...)",
        ),
        (r"RuntimeError: Unexpected optimization option (?P<name>\w+)", "options[{name!r}]"),
    )
}
"""How Python and torch's settings say so, and how the name is written then."""
_PATCHED = re.compile(r"^KeyError: '(?P<name>\w+)'")
"""How the settings of older releases say so when a proof patches them; it may be any other key."""


def missing_api(said: Iterable[str], source: str) -> str:
    """The name that the release lacks, such as `torch._dynamo.nonsense`; "" if there is none.

    Args:
        said: What arms raised, each with its type.
        source: The proof's source. A name that it does not have is torch's own affair, and then
            torch is broken, which is an error.
    """
    for text in said:
        for pattern, name in _MISSING.items():
            found = pattern.search(text)
            if found and re.search(rf"\b{found['name']}\b", source):
                return name.format(**found.groupdict())
        found = _PATCHED.search(text)
        if found and re.search(rf"config\.patch\([^()]*\b{found['name']}\b", source):
            return f"config.{found['name']}"
    return ""


def raised_in(report: Report) -> Iterator[str]:
    """What a probe caught in an arm, each with its type."""
    if raised := report["exception"]:
        yield f"{raised['type']}: {raised['message']}"
    yield from (f"{kind}: {message}" for kind, message in caught_facts(report))
