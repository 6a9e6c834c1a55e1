"""What a proof asks of torch or Triton that the release does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from validators.runner.verdict import Report, caught_facts

_PART = r"(?:torch|triton)(?:\.\w+)*"
_OF = rf"(?P<of>{_PART})"
_NAME = r"(?P<name>\w+)"
_ANYWHERE = r"\b{name}\b"
_MISSING = (
    (rf"AttributeError: module '{_OF}' has no attribute '{_NAME}'", "{of}.{name}", _ANYWHERE),
    (rf"ImportError: cannot import name '{_NAME}' from '{_OF}'", "{of}.{name}", _ANYWHERE),
    (rf"ModuleNotFoundError: No module named '{_OF}\.{_NAME}'", "{of}.{name}", _ANYWHERE),
    (rf"AttributeError: {_OF}\.{_NAME} does not exist", "{of}.{name}", _ANYWHERE),
    (
        rf"TypeError: (?P<of>[\w.]+)\(\) got an unexpected keyword argument '{_NAME}'",
        "{of}({name}=...)",
        _ANYWHERE,
    ),
    (rf"RuntimeError: Unexpected optimization option {_NAME}", "options[{name!r}]", _ANYWHERE),
    # Older releases say so of a setting that is patched; it may be the key of anything else.
    (rf"^KeyError: '{_NAME}'", "config.{name}", r"config\.patch\([^()]*\b{name}\b"),
)
"""How Python and torch say so, how the name is written then, and how a proof asks for it."""


def missing_api(said: Iterable[str], source: str) -> str:
    """The name that the release lacks, such as `torch._dynamo.nonsense`; "" if there is none.

    Args:
        said: What arms raised, each with its type.
        source: The proof's source. A name that it does not have is torch's own affair, and then
            torch is broken, which is an error.
    """
    for text in said:
        for pattern, written, asked in _MISSING:
            found = re.search(pattern, text)
            if found and re.search(asked.format(name=found["name"]), source):
                return written.format(**found.groupdict())
    return ""


def raised_in(report: Report) -> Iterator[str]:
    """What a probe caught in an arm, each with its type."""
    if raised := report["exception"]:
        yield f"{raised['type']}: {raised['message']}"
    yield from (f"{kind}: {message}" for kind, message in caught_facts(report))
