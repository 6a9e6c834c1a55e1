"""A cache, in this user's cache folder, of what is computed from a file's bytes alone."""

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

from validators.files import read_file

LIMIT = 8 * 1024 * 1024
"""Bytes of a cache file; a larger one begins anew."""

T = TypeVar("T")


def cache_folder() -> Path:
    """Where this user's caches are; other checkouts share them."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / (
        "torch-compile-casebook"
    )


class Cache(Generic[T]):
    """Values by the bytes that they are computed from; new ones are saved when the process ends.

    `sources` are the modules that compute them: an edit of one begins the cache anew. A file that
    cannot be read or written costs time and nothing else.
    """

    def __init__(self, name: str, kind: type[T], sources: tuple[Path, ...]) -> None:
        self.name, self.sources = name, sources
        self._decoder: Any = msgspec.json.Decoder(dict[str, kind])  # type: ignore[valid-type]

    def get(self, content: bytes, compute: Callable[[], T]) -> T:
        """The value of `content`, computed where it is not known."""
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
