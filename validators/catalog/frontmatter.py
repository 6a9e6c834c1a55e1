"""The front matter of a case's page: typed, and an error names the file and the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import Meta, Struct

from validators.errors import Problem

# libyaml's loader is five times faster; a wheel without it still reads the catalog.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_PAGE_BYTES = 256 * 1024
MAX_DEPTH = 20  # libyaml overflows the C stack on collections nested tens of thousands deep

Text = Annotated[str, Meta(pattern=r"\S")]
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_]*$")]
ArmName = Literal["symptom", "remedy"]
Device = Literal["cpu", "cuda"]


class Holds(Struct, frozen=True, forbid_unknown_fields=True):
    """Where *confirmed* is expected: PEP 440 specifiers, and a device; empty means any."""

    torch: str = ""
    device: Device | Literal[""] = ""
    python: str = ""


class GraphBreakRef(Struct, frozen=True, forbid_unknown_fields=True):
    """The registry entry that a case is about; ids drift between releases, so the type too."""

    id: Annotated[str, Meta(pattern=r"^GB\d{4}$")]
    type: Text


class Upstream(Struct, frozen=True, forbid_unknown_fields=True):
    """An upstream issue or pull request, with the first torch release that has the fix."""

    issue: Text
    fixed_in: str = ""


class FrontMatter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people write about a case; what a program can know is never typed here.

    `timeout` is in seconds per arm, `memory` in MiB per arm. `env` is set per arm before the
    interpreter starts and so implies a fresh one; `fresh` asks for one without setting anything.
    `exclusive` arms run alone on the machine.
    """

    claim: Text
    kind: Literal["limitation", "practice", "retraction"]
    severity: Literal["low", "medium", "high"]
    devices: Annotated[list[Device], Meta(min_length=1)]
    believed: str = ""
    needs: list[str] = []
    holds: list[Holds] = []
    env: dict[ArmName, dict[str, str]] = {}
    fresh: bool = False
    exclusive: bool = False
    timeout: Annotated[float, Meta(gt=0)] = 120.0
    memory: Annotated[int, Meta(gt=0)] = 4096
    signatures: list[Text] = []
    graph_break: GraphBreakRef | None = None
    upstream: list[Upstream] = []
    sources: list[Text] = []
    aliases: list[Slug] = []
    withdrawn: str = ""
    superseded_by: str = ""

    @property
    def always_fresh(self) -> bool:
        """Whether the arms need an interpreter of their own."""
        return self.fresh or bool(self.env)


class InvalidPage(Exception):
    """A page that cannot be read; carries the `Problem`s found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def read_page(path: Path) -> tuple[FrontMatter, str, int]:
    """The front matter of the page at `path`, its Markdown body, and the body's first line number.

    Raises:
        InvalidPage: the file is too large, not UTF-8, or its front matter is missing or wrong.
    """
    source, body, body_line = split_page(path)
    return parse_front_matter(path, source), body, body_line


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


def parse_front_matter(path: Path, source: str) -> FrontMatter:
    """`source` as front matter; `path` and lines (the fence is line 1) are for the errors.

    Raises:
        InvalidPage: not YAML, or a field is missing, unknown or of the wrong kind.
    """
    data = load_yaml(path, source)
    try:
        meta = msgspec.convert(data, FrontMatter, strict=True)
    except msgspec.ValidationError as error:
        raise _invalid(path, *_explain(source, str(error))) from None
    problems = [Problem(path, line_of(source, key), message) for key, message in _rules(meta)]
    if problems:
        raise InvalidPage(problems)
    return meta


def load_yaml(path: Path, source: str) -> Any:
    """The data in `source`, the front matter of the page at `path`.

    Raises:
        InvalidPage: it is not YAML, nests too deep or names a top-level key twice.
    """
    try:
        if _depth(source) > MAX_DEPTH:
            raise _invalid(path, 1, f"nests deeper than {MAX_DEPTH} levels; flatten it")
        data = yaml.load(source, Loader=_LOADER)
    except InvalidPage:
        raise
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise _invalid(path, line, f"is not YAML ({error.problem}); quote the value") from None
    except Exception as error:  # a tag such as !!int on a value that is none raises nearly anything
        summary = (str(error).splitlines() or [""])[0] or type(error).__name__
        raise _invalid(path, 1, f"is not YAML ({summary}); rewrite the front matter") from None
    twins = [Problem(path, line, f"`{key}` stands twice; keep one") for line, key in _twins(source)]
    if twins:
        raise InvalidPage(twins)
    return data


def _depth(source: str) -> int:
    """How deep the collections nest, read without recursion."""
    depth = deepest = 0
    for event in yaml.parse(source, Loader=_LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        deepest = max(deepest, depth)
    return deepest


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


def _rules(meta: FrontMatter) -> Iterator[tuple[str, str]]:
    if (meta.kind == "retraction") != bool(meta.believed):
        yield "believed", "`believed` belongs to a retraction, and a retraction needs it"
    if meta.withdrawn and meta.superseded_by:
        yield "withdrawn", "`withdrawn` and `superseded_by` exclude each other; keep one"
    for pattern in meta.signatures:
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            yield "signatures", f"`{pattern}` is not a regular expression ({error}); escape it"


def _invalid(path: Path, line: int, message: str) -> InvalidPage:
    return InvalidPage([Problem(path, line, message)])
