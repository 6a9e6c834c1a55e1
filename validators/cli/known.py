"""Records without their reports: what lists need of evidence, at a fraction of the time and memory.

Reports make up nearly all of an evidence file; here they are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct

from validators.catalog import Case
from validators.environment.fingerprint import Fingerprint
from validators.errors import CasebookError, Problem
from validators.evidence import Record, Verdict, digest_of
from validators.evidence.digest import hash_of, resolve
from validators.evidence.store import read_records


class Known(Struct, frozen=True, kw_only=True):
    """The fields of a `Record` but its two reports."""

    case: str
    column: str
    verdict: Verdict
    reason: str = ""
    digest: str
    modules: dict[str, str]
    fingerprint: Fingerprint
    isolation: Literal["fork", "fresh"]
    repeats: int
    shows: dict[str, bool] = {}
    date: str
    seconds: float


class Currency:
    """Tells which records speak of the cases as they stand; looks at each file once."""

    def __init__(self, catalog_root: Path) -> None:
        self._root = catalog_root
        self._hashes: dict[str, str] = {}
        self._said: dict[tuple[str, str], tuple[dict[str, str], bool]] = {}

    def is_current(self, case: Case, known: Known | Record) -> bool:
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


def load_known(*folders: Path) -> dict[str, dict[str, Known]]:
    """All records in the folders' files, by case and column, as `load_evidence` chooses them.

    Raises:
        CasebookError: a line is not a record; the message says where.
    """
    return _newest(record for records, _ in _parts(folders) for record in records)


def records_of(case: str, *folders: Path) -> list[Record]:
    """The whole records of one case, by column; all others are only checked.

    Raises:
        CasebookError: a line is not a record; the message says where.
    """
    some = (part for known, part in _parts(folders) if any(k.case == case for k in known))
    records = _newest(record for lines in some for record in _whole_decoder.decode_lines(lines))
    return [record for _, record in sorted(records.get(case, {}).items())]


class _Dated(Protocol):
    @property
    def case(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def date(self) -> str: ...


_Any = TypeVar("_Any", bound=_Dated)
_BLOCK = 1 << 17
"""Bytes read at a time: what fits into the processor's cache is gone through faster."""
_decoder = msgspec.json.Decoder(Known)
_whole_decoder = msgspec.json.Decoder(Record)


def _newest(records: Iterable[_Any]) -> dict[str, dict[str, _Any]]:
    newest: dict[str, dict[str, _Any]] = {}
    for record in records:
        columns = newest.setdefault(record.case, {})
        known = columns.get(record.column)
        if known is None or known.date <= record.date:
            columns[record.column] = record
    return newest


def _parts(folders: Iterable[Path]) -> Iterator[tuple[list[Known], bytes]]:
    """The records of the folders' files, some lines at a time, and those lines."""
    for folder in folders:
        for file in sorted(folder.glob("*.jsonl")):
            for lines in _some_lines(file):
                yield _decoded(lines, file), lines


def _some_lines(file: Path) -> Iterator[bytes]:
    """The lines of a file, some at a time.

    What follows the last newline is the unfinished line of a killed writer and is left out.
    """
    begun: list[bytes] = []
    with file.open("rb", buffering=0) as stream:
        while block := stream.read(_BLOCK):
            end = block.rfind(b"\n") + 1
            if end:
                yield b"".join([*begun, block[:end]])
                begun = []
            begun.append(block[end:])


def _decoded(lines: bytes, file: Path) -> list[Known]:
    """The records in some lines of `file`; what is wrong with one is said in the store's words."""
    try:
        if not lines.isascii():
            lines.decode()  # the decoder does not look into strings that it passes over
        return _decoder.decode_lines(lines)
    except (msgspec.DecodeError, UnicodeDecodeError):
        changed = Problem(file, 0, "changed while it was read; run the command again")
        raise CasebookError(str(next(iter(read_records(file)[1]), changed))) from None
