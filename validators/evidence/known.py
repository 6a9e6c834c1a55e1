"""Records without their reports: what lists need of evidence, at a fraction of the time and memory.

Reports make up nearly all of an evidence file; here they are passed over.
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from validators.catalog import Case
from validators.environment import Fingerprint
from validators.errors import CasebookError, Problem
from validators.evidence.digest import digest_of, hash_of, resolve
from validators.evidence.record import Record, Verdict
from validators.evidence.store import read_records

_REPORTS = ("symptom", "remedy")
_BLOCK = 1 << 17
"""Bytes read at a time: what fits into the processor's cache is gone through faster."""


class Known(Protocol):
    """A `Record`, or one without its two reports."""

    @property
    def case(self) -> str:
        """The case's name."""

    @property
    def column(self) -> str:
        """The environment's column."""

    @property
    def verdict(self) -> Verdict:
        """What was decided."""

    @property
    def reason(self) -> str:
        """Why it is skipped, unstable or in error."""

    @property
    def isolation(self) -> str:
        """How its arms ran: fork or fresh."""

    @property
    def repeats(self) -> int:
        """How often they ran."""

    @property
    def seconds(self) -> float:
        """Their wall time."""

    @property
    def digest(self) -> str:
        """The digest of what the arms ran."""

    @property
    def modules(self) -> dict[str, str]:
        """The modules that the arms loaded, with their hashes."""

    @property
    def fingerprint(self) -> Fingerprint:
        """The exact environment."""

    @property
    def witnesses(self) -> dict[str, str]:
        """The verdicts of other witnesses."""

    @property
    def differs(self) -> dict[str, str]:
        """How the results of an arm differ from eager's."""

    @property
    def date(self) -> str:
        """The UTC day."""


KnownEvidence = Mapping[tuple[str, str], Known]
"""Records, whole or without their reports, by (case, column)."""


class Currency:
    """Tells which records speak of the cases as they stand; looks at each file once."""

    def __init__(self, catalog_root: Path) -> None:
        self._root = catalog_root
        self._hashes: dict[str, str] = {}
        self._said: dict[tuple[str, str], tuple[dict[str, str], bool]] = {}

    def is_current(self, case: Case, known: Known) -> bool:
        """Whether the case, and every module that its arms loaded, is as it was."""
        # The columns of a case mostly ran the same code.
        modules, current = self._said.get((case.name, known.digest), (None, False))
        if modules != known.modules:
            now = {place: self._hash(place) for place in known.modules}
            current = digest_of(case, now) == known.digest
            self._said[case.name, known.digest] = known.modules, current
        return current

    def _hash(self, place: str) -> str:
        if place not in self._hashes:
            self._hashes[place] = hash_of(resolve(place, self._root))
        return self._hashes[place]


def load_known(*folders: Path, damaged: list[Problem] | None = None) -> dict[str, dict[str, Known]]:
    """All records in the folders' files, by case and column, as `load_evidence` chooses them.

    Lines that are no records are added to `damaged`.

    Raises:
        CasebookError: a line is not a record and `damaged` is not given; the message says where.
    """
    return _newest(record for records, _ in _parts(folders, damaged) for record in records)


def load_known_evidence(
    *folders: Path, damaged: list[Problem] | None = None
) -> dict[tuple[str, str], Known]:
    """`load_known` by (case, column), as `load_evidence` has whole records."""
    known = load_known(*folders, damaged=damaged)
    return {(r.case, r.column): r for records in known.values() for r in records.values()}


def records_of(case: str, *folders: Path, damaged: list[Problem] | None = None) -> list[Record]:
    """The whole records of one case, by column; all others are only checked.

    Lines that are no records are added to `damaged`.

    Raises:
        CasebookError: a line is not a record and `damaged` is not given; the message says where.
    """
    parts = _parts(folders, damaged)
    wanted = (whole for records, whole in parts if any(r.case == case for r in records))
    found = _newest(record for whole in wanted for record in whole())
    return [record for _, record in sorted(found.get(case, {}).items())]


_Any = TypeVar("_Any", bound=Known)
_Part = tuple[Sequence[Known], Callable[[], list[Record]]]


def _without_reports() -> type[msgspec.Struct]:
    """The type of a record that has every field of `Record` but the reports."""
    kept: list[Any] = []
    for field in msgspec.structs.fields(Record):
        given: list[Any] = [] if field.required else [field.default]
        if field.default_factory is not msgspec.NODEFAULT:
            given = [msgspec.field(default_factory=field.default_factory)]
        if field.name not in _REPORTS:
            kept.append((field.name, field.type, *given))
    return msgspec.defstruct("Known", kept, frozen=True, kw_only=True)


_decoder: Any = msgspec.json.Decoder(_without_reports())
_whole_decoder = msgspec.json.Decoder(Record)


def _newest(records: Iterable[_Any]) -> dict[str, dict[str, _Any]]:
    newest: dict[str, dict[str, _Any]] = {}
    for record in records:
        columns = newest.setdefault(record.case, {})
        known = columns.get(record.column)
        if known is None or known.date <= record.date:
            columns[record.column] = record
    return newest


def _parts(folders: Iterable[Path], damaged: list[Problem] | None) -> Iterator[_Part]:
    """The records of the folders' files, some at a time, and how to have them whole."""
    for file in (file for folder in folders for file in sorted(folder.glob("*.jsonl"))):
        try:
            yield from _parts_of(file)
        except (ValueError, RecursionError, OSError):
            # Some records come twice now, which does no harm.
            numbered, problems = read_records(file)
            if damaged is None:
                changed = Problem(file, 0, "changed while it was read; run the command again")
                raise CasebookError(str(next(iter(problems), changed))) from None
            damaged += problems
            records = [record for _, record in numbered]
            yield records, partial(list, records)


def _parts_of(file: Path) -> Iterator[_Part]:
    if not file.is_file():
        raise OSError(f"{file} is no file")
    begun: list[bytes] = []
    with file.open("rb", buffering=0) as stream:
        while block := stream.read(_BLOCK):
            end = block.rfind(b"\n") + 1
            if end:
                lines = b"".join([*begun, block[:end]])
                yield _decoded(lines), partial(_whole_decoder.decode_lines, lines)
                begun = []
            begun.append(block[end:])
    last = b"".join(begun)
    with contextlib.suppress(ValueError, RecursionError):  # a killed writer's unfinished line
        yield _decoded(last), partial(_whole_decoder.decode_lines, last)


def _decoded(lines: bytes) -> list[Known]:
    """The records in some lines.

    Raises:
        ValueError, RecursionError: a line is none.
    """
    if not lines.isascii():
        lines.decode()  # the decoder does not look into strings that it passes over
    known: list[Known] = _decoder.decode_lines(lines)
    for date in {record.date for record in known}:
        datetime.date.fromisoformat(date)
    return known
