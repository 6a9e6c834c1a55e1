"""A cache, in this user's cache folder, of values computed from a file's bytes alone."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from validators.files import cache_folder, read_file

LIMIT = 8 * 1024 * 1024
"""The most bytes of a cache file; a larger one is started over."""

T = TypeVar("T")


class Cache(Generic[T]):
    """Values by the bytes that they are computed from; new ones are saved when the process ends.

    `sources` are the modules that compute them: editing one starts the cache over. If the file
    cannot be read or written, values are computed again.
    """

    def __init__(self, name: str, kind: type[T], sources: tuple[Path, ...]) -> None:
        self.name, self.sources = name, sources
        self._read: dict[tuple[Path, int, int], T] = {}
        self._decoder: Any = msgspec.json.Decoder(dict[str, kind])  # type: ignore[valid-type]

    def of(self, file: Path, compute: Callable[[bytes], T]) -> T:
        """The value of what `file` holds; it is read again once its time or size has changed.

        Raises:
            OSError: it cannot be read.
            ValueError: no file can have this name, or it is too large.
        """
        status = file.stat()
        key = file, status.st_mtime_ns, status.st_size
        if key not in self._read:
            content = read_file(file)
            self._read[key] = self.get(content, lambda: compute(content))
        return self._read[key]

    def get(self, content: bytes, compute: Callable[[], T]) -> T:
        """The value of `content`, computed if it is not known yet."""
        key = hashlib.sha256(content).hexdigest()[:32]
        if key not in self._values:
            self._values[key] = compute()
            self._saved_at_exit  # noqa: B018
        return self._values[key]

    @cached_property
    def _file(self) -> Path:
        edition = hashlib.sha256(b"".join(map(read_file, self.sources))).hexdigest()[:8]
        return cache_folder() / f"{self.name}-{edition}.json"

    @cached_property
    def _values(self) -> dict[str, T]:
        try:
            content = read_file(self._file, LIMIT)
            values: dict[str, T] = self._decoder.decode(content)
        except (OSError, ValueError, RecursionError):
            return {}
        return values

    @cached_property
    def _saved_at_exit(self) -> bool:
        atexit.register(self._save)
        return True

    def _save(self) -> None:
        temporary = self._file.with_suffix(f".{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(msgspec.json.encode(self._values))
            temporary.replace(self._file)
