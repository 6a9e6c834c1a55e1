"""A page: YAML front matter between two `---` lines, then Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from validators.errors import Problem
from validators.files import read_file

MAX_PAGE_BYTES = 256 * 1024
MAX_FRONT_MATTER = 32 * 1024  # characters; YAML's `1:1:1:...` takes quadratic time
MAX_DEPTH = 20  # older libyaml overflows the C stack on collections nested tens of thousands deep
_TOO_DEEP = f"nests deeper than {MAX_DEPTH} levels; flatten it"
# Characters that move a terminal's cursor, line ends that only YAML knows, and surrogates.
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# The escapes of YAML that may produce such a character.
_ESCAPE = re.compile(r"\\[0abefrvxuUNLP_]")
_FENCE = re.compile(r"^---[^\S\n]*$", re.MULTILINE)

# libyaml's loader is five times faster; a wheel without it still reads the catalog.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Fields = TypeVar("Fields", bound=msgspec.Struct)


class InvalidPage(Exception):
    """A page that cannot be read; carries the `Problem`s found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def split_page(path: Path) -> tuple[str, str, int]:
    """The front matter's source, the Markdown body, and the body's first line number.

    Raises:
        InvalidPage: the file is not text, is too large, or has no front matter.
        OSError: the file cannot be read.
    """
    text = read_text(path)
    opening = _FENCE.match(text)
    if not opening:
        raise _invalid(path, 1, "has no front matter; begin the page with a line `---`")
    closing = _FENCE.search(text, opening.end())
    if not closing:
        raise _invalid(path, 1, "front matter is never closed; end it with a line `---`")
    source = text[opening.end() + 1 : max(closing.start() - 1, 0)]
    return source, text[closing.end() + 1 :], text.count("\n", 0, closing.start()) + 2


def read_list(path: Path) -> str:
    """The source of the YAML file at `path`, which begins with a line `---`.

    Raises:
        InvalidPage: the file is not text, is too large, or does not begin with that line.
        OSError: the file cannot be read.
    """
    text = read_text(path)
    opening = _FENCE.match(text)
    if not opening:
        raise _invalid(path, 1, "does not begin with a line `---`; add one")
    return text[opening.end() + 1 :]


def parse_fields(
    path: Path, source: str, kind: type[Fields], limit: int = MAX_FRONT_MATTER
) -> Fields:
    """`source`, the front matter of the page at `path`, as the fields of `kind`.

    `source` may have at most `limit` characters.

    Raises:
        InvalidPage: not YAML, or a field is missing, unknown or of the wrong kind.
    """
    data = load_yaml(path, source, limit)
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _invalid(path, *_explain(source, str(error))) from None


def load_yaml(path: Path, source: str, limit: int = MAX_FRONT_MATTER) -> Any:
    """The data in `source`, the front matter of the page at `path`.

    Raises:
        InvalidPage: it is not YAML, is too large, nests too deep, uses an alias, holds a control
            character or has a key twice.
    """
    if len(source) > limit:
        message = f"front matter is larger than {limit // 1024} KiB; move text to the body"
        raise _invalid(path, 1, message)
    try:
        data = _read(path, source)
    except InvalidPage:
        raise
    except yaml.MarkedYAMLError as error:
        # Newer libyaml scans ahead of the events that `_excess` counts, and has a limit of its own.
        if error.problem == "exceeded maximum nesting depth":
            raise _invalid(path, 1, _TOO_DEEP) from None
        line = _line(source, error.problem_mark) if error.problem_mark else 1
        raise _invalid(path, line, f"is not YAML ({error.problem}); quote the value") from None
    except Exception as error:  # a wrong tag, such as !!int on a word, raises nearly anything
        summary = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise _invalid(path, 1, f"is not YAML ({summary}); rewrite the front matter") from None
    # `read_text` refuses control characters, so only an escape can bring one in.
    if _ESCAPE.search(source) and (bad := next(_control_characters(data), "")):
        raise _invalid(path, 1, f"front matter holds the control character {bad}; remove it")
    return data


def _read(path: Path, source: str) -> Any:
    if excess := _excess(source):
        raise _invalid(path, 1, excess)
    loader = LOADER(source)
    try:
        node = loader.get_single_node()
        twins = [
            Problem(path, _line(source, key.start_mark), f"`{key.value}` appears twice; keep one")
            for key in _twins(node)
        ]
        if twins:
            raise InvalidPage(twins)
        return loader.construct_document(node) if node else None
    finally:
        loader.dispose()


def _line(source: str, mark: yaml.Mark) -> int:
    """The page's line at `mark`; YAML's own line number counts more line ends than editors do."""
    return source.count("\n", 0, mark.index) + 2


def _excess(source: str) -> str:
    """Why the data would be too large or too deep, found without recursion; "" if it is not."""
    depth = 0
    loader = LOADER(source)
    try:
        for event in iter(loader.get_event, None):
            if type(event) is yaml.ScalarEvent:  # most events are
                continue
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return _TOO_DEEP
            if isinstance(event, yaml.AliasEvent):
                name = event.anchor
                return f"repeats a value by the alias `*{name}`; write it out, or quote the `*`"
    finally:
        loader.dispose()
    return ""


def _control_characters(data: Any) -> Iterator[str]:
    """The control characters in all strings of `data`, as U+NUMBER."""
    if isinstance(data, str):
        yield from (f"U+{ord(character):04X}" for character in CONTROL.findall(data))
    elif isinstance(data, dict):
        for item in data.items():
            yield from _control_characters(item)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _control_characters(item)


def _twins(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Each repeated key; the loader would silently take the last one."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _twins(item)
    elif isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    yield key
                seen.add((key.tag, key.value))
            yield from _twins(value)


def line_of(source: str, key: str) -> int:
    """The line of a top-level `key` in the page whose front matter is `source`; 1 if absent."""
    pattern = re.compile(rf"{re.escape(key)}\s*:")
    found = (i for i, line in enumerate(source.split("\n"), 2) if pattern.match(line))
    return next(found, 1)


def read_text(path: Path) -> str:
    """The text of the page at `path`, with line ends as on Unix.

    Raises:
        InvalidPage: the file is too large, is not UTF-8, or holds control characters.
        OSError: the file cannot be read.
    """
    raw = read_file(path, MAX_PAGE_BYTES + 1)
    if len(raw) > MAX_PAGE_BYTES:
        raise _invalid(path, 0, f"is larger than {MAX_PAGE_BYTES // 1024} KiB; shorten the page")
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise _invalid(path, line, "is not UTF-8; save the page as UTF-8") from None
    if found := control_character(text):
        line, name = found
        raise _invalid(path, line, f"holds the control character {name}; remove it")
    return text


def control_character(text: str) -> tuple[int, str] | None:
    """The line and the U+NUMBER of the first character that no text should hold, if any."""
    plain = text.replace("\n", "").replace("\t", "").isprintable()  # much faster than a search
    if plain or not (found := CONTROL.search(text)):
        return None
    return text.count("\n", 0, found.start()) + 1, f"U+{ord(found[0]):04X}"


def _explain(source: str, message: str) -> tuple[int, str]:
    """Line and sentence for a msgspec error such as "Expected `str`, got `int` - at `$.claim`"."""
    problem, *place = re.split(r" - at (?:`key` in )?`\$", message, maxsplit=1)
    field = "".join(place).rstrip("`").lstrip(".")
    top = re.split(r"[.\[]", field)[0]
    if match := re.search(r"(missing required|unknown) field `(\w+)`", problem):
        name = f"{field}.{match[2]}" if field else match[2]
        if match[1] == "unknown":
            line = line_of(source, top or match[2])
            return line, f"`{name}` is not a field; remove it or fix its spelling"
        return line_of(source, top), f"lacks `{name}`; add it to the front matter"
    return line_of(source, top), f"`{field or 'front matter'}`: {problem}; correct the value"


def _invalid(path: Path, line: int, message: str) -> InvalidPage:
    return InvalidPage([Problem(path, line, message)])
