"""Whether a record still speaks of the case as it stands."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import msgspec

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_MEMORY
from validators.evidence.record import Record
from validators.files import read_file

ROOT = Path(__file__).resolve().parents[2]


def digest_of(case: Case, modules: dict[str, str]) -> str:
    """The digest of a case whose arms loaded `modules` (place to SHA-256).

    It covers what an execution depends on, and the claim that it decides: prose and `holds` are
    not in it, nor `believed`, which paraphrases. A `timeout` only ever makes an error, which is
    never current; an arm may notice its `memory`, since an allocation beyond it fails.
    """
    meta = case.meta
    parts = [meta.claim, meta.needs, meta.env, meta.always_fresh, meta.exclusive, modules]
    if meta.memory != DEFAULT_MEMORY:
        parts.append(meta.memory)
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:16]


def is_current(case: Case, record: Record, catalog_root: Path) -> bool:
    """Whether the case, and every module that its arms loaded, is as it was."""
    now = {place: hash_of(resolve(place, catalog_root)) for place in record.modules}
    return digest_of(case, now) == record.digest


def place_of(file: Path, catalog_root: Path) -> str:
    """A module's place as records name it: under the catalog or the repository, else its path."""
    if file.is_relative_to(catalog_root):
        return f"catalog/{file.relative_to(catalog_root)}"
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


@cache
def resolve(place: str, catalog_root: Path) -> Path:
    """The file that `place` names."""
    folder, _, rest = place.partition("/")
    return catalog_root / rest if folder == "catalog" else ROOT / place


def hash_of(file: Path) -> str:
    """The SHA-256 of a file's bytes; "" where there is none that can be read."""
    try:
        status = file.stat()
        return _hash(file, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError):  # also a name that no file can have
        return ""


@cache
def _hash(file: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(read_file(file)).hexdigest()
