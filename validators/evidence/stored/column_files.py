"""Files of runs of the pages' programs: one file per case, one line per column."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from validators.environment.column_name import by_release
from validators.errors import CasebookError, Problem
from validators.evidence.stored.writing import locked, replace_file
from validators.files import read_file

File = TypeVar("File")
Record = TypeVar("Record")
_encode = msgspec.json.Encoder(order="deterministic").encode


class ColumnFiles(Generic[File]):
    """All files of one kind, `NAME/CASE.json`."""

    def __init__(self, name: str, kind: type[File], damage: str, remedy: str) -> None:
        """`damage` and `remedy` say of a file what is wrong if it cannot be read."""
        self.name, self._damage, self._remedy = name, damage, remedy
        self._decoder = msgspec.json.Decoder(kind)

    def place(self, folder: Path, case: str) -> Path:
        """The file of a case."""
        return folder / self.name / f"{case}.json"

    def load(self, folder: Path, damaged: list[Problem] | None = None) -> dict[str, File]:
        """What all files in `folder` hold, by case.

        A damaged file is skipped and added to `damaged`.

        Raises:
            CasebookError: a file is damaged, and `damaged` is None; the message says which.
        """
        return self._load(sorted((folder / self.name).glob("*.json")), damaged)

    def load_case(self, folder: Path, case: str, damaged: list[Problem]) -> dict[str, File]:
        """What the file of one case holds; empty if it is missing or damaged."""
        file = self.place(folder, case)
        return self._load([file] if file.exists() else [], damaged)

    def _load(self, files: Iterable[Path], damaged: list[Problem] | None) -> dict[str, File]:
        read = ((file.stem, self._read(file, damaged)) for file in files)
        return {name: it for name, it in read if it is not None}

    def _read(self, file: Path, damaged: list[Problem] | None) -> File | None:
        try:
            return self._decoder.decode(read_file(file))
        except (OSError, ValueError, RecursionError) as error:
            problem = Problem(file, 0, f"{self._damage} ({error}); {self._remedy}")
            if damaged is None:
                raise CasebookError(str(problem)) from None
            damaged.append(problem)
            return None


class ColumnRecords(ColumnFiles[dict[str, Record]]):
    """Files that hold nothing but a record for each column, in the order of releases."""

    def write(self, folder: Path, name: str, column: str, record: Record) -> None:
        """Store a record, in place of that of the same name and column."""
        with locked(folder):
            stored = self.load_case(folder, name, []).get(name, {}) | {column: record}
            lines = [
                f'"{it}":{_encode(stored[it]).decode()}' for it in sorted(stored, key=by_release)
            ]
            text = "{\n" + ",\n".join(lines) + "\n}\n"
            replace_file(folder, self.place(folder, name), text.encode())
