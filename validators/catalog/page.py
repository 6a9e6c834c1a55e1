"""A page: YAML front matter between two `---` lines, then Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from validators.errors import Problem

# libyaml's loader is five times faster; a wheel without it still reads the catalog.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_PAGE_BYTES = 256 * 1024
MAX_DEPTH = 20  # libyaml overflows the C stack on collections nested tens of thousands deep

Fields = TypeVar("Fields", bound=msgspec.Struct)


class InvalidPage(Exception):
    """A page that cannot be read; carries the `Problem`s found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def split_page(path: Path) -> tuple[str, str, int]:
    """The front matter's source, the Markdown body, and the body's first line number.

    Raises:
        InvalidPage: the file is too large, not UTF-8, or has no front matter.
    """
    lines = _read_text(path).split("\n")
    if lines[0].rstrip() != "---":
        raise _invalid(path, 1, "has no front matter; begin the page with a line `---`")
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise _invalid(path, 1, "front matter is never closed; end it with a line `---`")
    return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]), end + 2


def parse_fields(path: Path, source: str, kind: type[Fields]) -> Fields:
    """`source`, the front matter of the page at `path`, as the fields of `kind`.

    Raises:
        InvalidPage: not YAML, or a field is missing, unknown or of the wrong kind.
    """
    data = load_yaml(path, source)
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _invalid(path, *_explain(source, str(error))) from None


def load_yaml(path: Path, source: str) -> Any:
    """The data in `source`, the front matter of the page at `path`.

    Raises:
        InvalidPage: it is not YAML, nests too deep or names a top-level key twice.
    """
    try:
        too_deep = _nests_deeper(source, MAX_DEPTH)
        data = None if too_deep else yaml.load(source, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise _invalid(path, line, f"is not YAML ({error.problem}); quote the value") from None
    except Exception as error:  # a tag such as !!int on a value that is none raises nearly anything
        summary = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise _invalid(path, 1, f"is not YAML ({summary}); rewrite the front matter") from None
    if too_deep:
        raise _invalid(path, 1, f"nests deeper than {MAX_DEPTH} levels; flatten it")
    twins = [Problem(path, line, f"`{key}` stands twice; keep one") for line, key in _twins(source)]
    if twins:
        raise InvalidPage(twins)
    return data


def _nests_deeper(source: str, limit: int) -> bool:
    """Whether collections nest deeper than `limit`, read without recursion and no further."""
    depth = 0
    for event in yaml.parse(source, Loader=_LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > limit:
            return True
    return False


def _twins(source: str) -> Iterator[tuple[int, str]]:
    """Each repeated top-level key with its line; YAML would take the last one without a word."""
    seen = set()
    for number, line in enumerate(source.split("\n"), 2):
        if match := re.match(r"(\w+)\s*:", line):
            if match[1] in seen:
                yield number, match[1]
            seen.add(match[1])


def line_of(source: str, key: str) -> int:
    """The line of a top-level `key` in the page whose front matter is `source`; 1 if absent."""
    pattern = re.compile(rf"{re.escape(key)}\s*:")
    found = (i for i, line in enumerate(source.split("\n"), 2) if pattern.match(line))
    return next(found, 1)


def _read_text(path: Path) -> str:
    with path.open("rb") as file:
        raw = file.read(MAX_PAGE_BYTES + 1)
    if len(raw) > MAX_PAGE_BYTES:
        raise _invalid(path, 0, f"is larger than {MAX_PAGE_BYTES // 1024} KiB; shorten the page")
    try:
        return raw.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise _invalid(path, line, "is not UTF-8; save the page as UTF-8") from None


def _explain(source: str, message: str) -> tuple[int, str]:
    """Line and sentence for a msgspec error such as "Expected `str`, got `int` - at `$.claim`"."""
    problem, _, place = message.partition(" - at `$")
    field = place.rstrip("`").lstrip(".")
    top = re.split(r"[.\[]", field)[0]
    if match := re.search(r"(missing required|unknown) field `(\w+)`", problem):
        name = f"{field}.{match[2]}" if field else match[2]
        if match[1] == "unknown":
            line = line_of(source, top or match[2])
            return line, f"`{name}` is not a field; remove it or mend its spelling"
        return line_of(source, top), f"lacks `{name}`; add it to the front matter"
    return line_of(source, top), f"`{field or 'front matter'}`: {problem}; correct the value"


def _invalid(path: Path, line: int, message: str) -> InvalidPage:
    return InvalidPage([Problem(path, line, message)])
