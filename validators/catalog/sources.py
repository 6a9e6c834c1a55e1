"""The source documents: every claim that they make, and the case that decides it.

A document's list is `playbooks/sources/NAME.yaml`. It accounts for every line of the document, so
that no claim is missed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import yaml
from msgspec import Meta, Struct

from validators.catalog.case import Case
from validators.catalog.frontmatter import Device, Text
from validators.catalog.page import LOADER, InvalidPage, parse_fields, read_list
from validators.errors import Problem

MAX_LIST = 128 * 1024
"""The most characters of a list, which may be longer than a page's front matter."""

Reason = Literal["private_run", "private_code", "hardware", "release", "judgement", "other_subject"]
REASONS: dict[Reason, str] = {
    "private_run": "a figure of a private run",
    "private_code": "code that is not public",
    "hardware": "hardware on which nobody has run this",
    "release": "a release on which nobody has run this",
    "judgement": "advice or opinion, which no program decides",
    "other_subject": "about another subject",
}
"""Why no case can decide a claim, in words."""

_WAYS = ("supported_by", "refuted_by", "rebuilt_by", "undecidable")

_Number = Annotated[int, Meta(ge=1, le=99_999)]
Lines = _Number | Annotated[str, Meta(pattern=r"^[0-9]{1,5}-[0-9]{1,5}$(?!\n)")]


class SourceClaim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim in our words; `at` says on which lines the document makes it, "7-9" for a range.

    Either `supported_by` names cases that prove it where they are confirmed, or `refuted_by` names
    cases that disprove it, or it is `undecidable`, which `because` explains. `rebuilt_by` names
    tests of ours, `tests/FILE.py::test_name`, where the claim describes a program that is not
    public and ours does what it describes; `because` says which. `claimed` is the figure that the
    document gives. With a `device`, only evidence from that device decides it.
    """

    at: Annotated[list[Lines], Meta(min_length=1)]
    claim: Text
    claimed: str = ""
    device: Device | Literal[""] = ""
    supported_by: list[str] = []
    refuted_by: list[str] = []
    rebuilt_by: list[str] = []
    undecidable: Reason | Literal[""] = ""
    because: str = ""

    @property
    def cases(self) -> list[str]:
        """The cases that decide it."""
        return [*self.supported_by, *self.refuted_by]


class SourceFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A list as written; `lines` is the document's length, and `no_claim` lines claim nothing."""

    title: Text
    about: Text
    lines: _Number
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
    no_claim: list[Lines] = []
    entries: Annotated[list[SourceClaim], Meta(min_length=1)]


@dataclass(frozen=True)
class Source:
    """A source document's list; the file name is the id."""

    name: str
    path: Path
    fields: SourceFields
    text: str

    @cached_property
    def entry_lines(self) -> list[int]:
        """The line of the list on which each entry begins, for errors."""
        document = yaml.compose(self.text, Loader=LOADER)
        assert isinstance(document, yaml.MappingNode)
        found = [value for key, value in document.value if key.value == "entries"]
        if not found:  # a merge key (`<<`) supplied them
            return [1] * len(self.fields.entries)
        return [node.start_mark.line + 2 for node in found[-1].value]


def load_sources(folder: Path) -> tuple[list[Source], list[Problem]]:
    """The readable lists of `folder`, by name, and the defects of all.

    A missing folder holds no lists.
    """
    sources, problems = [], []
    for path in sorted(folder.glob("*.yaml")):
        try:
            source = _read_list(path)
        except InvalidPage as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(path, 0, f"cannot be read ({error.strerror}); fix the file"))
        else:
            sources.append(source)
            problems += _defects(source)
    return sources, problems


def unfit_deciders(
    source: Source, cases: Mapping[str, Case], names: Container[str] = ()
) -> list[Problem]:
    """A problem for each case that an entry of `source` names and that cannot decide it.

    `cases` are by name and alias; `names` are those of all pages, readable or not.
    """
    return [
        Problem(source.path, line, message)
        for line, entry in zip(source.entry_lines, source.fields.entries, strict=True)
        for message in _unfit(entry, cases, names)
    ]


def line_numbers(lines: Iterable[int | str]) -> Iterator[int]:
    """Each number of a list of lines and ranges, such as `[3, "7-9"]`."""
    for item in lines:
        first, _, last = str(item).partition("-")
        yield from range(int(first), int(last or first) + 1)


def _read_list(path: Path) -> Source:
    text = read_list(path)
    return Source(path.stem, path, parse_fields(path, text, SourceFields, MAX_LIST), text)


def _defects(source: Source) -> Iterator[Problem]:
    for index, entry in enumerate(source.fields.entries):
        for message in (*_faults(entry), *_missing(entry, source.path.parents[2])):
            yield Problem(source.path, source.entry_lines[index], message)
    for message in _gaps(source.fields):
        yield Problem(source.path, 0, message)


def _faults(entry: SourceClaim) -> Iterator[str]:
    for item in entry.at:
        if not list(line_numbers([item])):
            yield f"`at`: the range {item} runs backwards; swap its ends"
    ways = [name for name in _WAYS if getattr(entry, name)]
    if len(ways) != 1:
        stands = " and ".join(ways) or "none"
        listed = ", ".join(f"`{name}`" for name in _WAYS[:-1])
        yield f"names {stands} of {listed} and `{_WAYS[-1]}`; name exactly one"
    if bool(entry.undecidable or entry.rebuilt_by) != bool(entry.because):
        yield "`because` belongs to `undecidable` and `rebuilt_by`; write both or neither"


def _missing(entry: SourceClaim, root: Path) -> Iterator[str]:
    """A sentence for each test that an entry names and that is not there."""
    for test in entry.rebuilt_by:
        name, _, function = test.partition("::")
        path = root / name
        there = name.startswith("tests/") and path.is_file()
        if not there or f"\ndef {function}(" not in path.read_text(encoding="utf-8"):
            yield f"there is no test {test!r}; write it as tests/FILE.py::test_name"


def _unfit(entry: SourceClaim, cases: Mapping[str, Case], names: Container[str]) -> Iterator[str]:
    seen = set()
    for name in entry.cases:
        if name not in cases:
            if name not in names:
                yield f"no case is named {name!r}; fix the name"
            continue
        case = cases[name]
        if case.name in seen:
            yield f"{name!r} appears twice; keep one"
        elif case.retired:
            yield f"{name!r} is withdrawn or superseded; name the case that decides this now"
        elif entry.device and entry.device not in case.meta.devices:
            yield f"{name!r} has no meaning on {entry.device}; name another or remove `device`"
        seen.add(case.name)


def _gaps(fields: SourceFields) -> Iterator[str]:
    """How the list fails to account for each line of its document exactly once."""
    claimed = set(line_numbers(at for entry in fields.entries for at in entry.at))
    silent = set(line_numbers(fields.no_claim))
    every = set(range(1, fields.lines + 1))
    for lines, message in (
        (every - claimed - silent, "are in no entry and not in `no_claim`; account for them"),
        (claimed & silent, "are in an entry and in `no_claim`; remove them from one"),
        ((claimed | silent) - every, f"are beyond its last line, {fields.lines}; correct them"),
    ):
        if lines:
            yield f"lines {_ranges(lines)} of the document {message}"


def _ranges(numbers: set[int]) -> str:
    """The numbers in order, consecutive ones as a range."""
    ends: list[list[int]] = []
    for number in sorted(numbers):
        if ends and ends[-1][1] == number - 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ends)
