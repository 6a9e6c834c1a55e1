"""What a record speaks of: the claim, what it needs, and all code that its arms ran."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from validators.catalog import Case
from validators.catalog.frontmatter import DEFAULT_MEMORY
from validators.evidence.program import attributes_in, hash_of_tree, program_of
from validators.files import read_file

ROOT = Path(__file__).resolve().parents[2]
REPORT = "validators/probes/report.py"
"""The type of reports: of it only the definitions count that a proof reads."""


def digest_of(case: Case, places: Iterable[str], catalog_root: Path) -> str:
    """The digest of `case`, whose arms loaded the modules at `places`, as it stands.

    It covers what an execution depends on, and the claim that it decides: prose and `holds` are
    not in it, nor `believed`, which paraphrases. A `timeout` only ever makes an error, which is
    never current; an arm may notice its `memory`, since an allocation beyond it fails.
    """
    meta = case.meta
    programs = {place: program_of(resolve(place, catalog_root)) for place in places}
    hashes = {place: program.hash for place, program in programs.items()}
    read = definitions_read(program_of(case.proof).attributes)
    parts = [meta.claim, meta.needs, meta.env, meta.always_fresh, meta.exclusive, hashes, read]
    if meta.memory != DEFAULT_MEMORY:
        parts.append(meta.memory)
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()[:16]


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
        return hashlib.sha256(read_file(file)).hexdigest()
    except (OSError, ValueError):  # also a name that no file can have
        return ""


@dataclass(frozen=True)
class Definition:
    """A field, property, method, function or constant of a module, and the names that it uses."""

    hash: str
    uses: frozenset[str]


def definitions_read(attributes: Iterable[str]) -> dict[str, list[str]]:
    """The hashes of what `attributes` name in the type of reports, and of what that uses."""
    known = _definitions(ROOT / REPORT)
    found: dict[str, list[str]] = {}
    waiting = [name for name in attributes if name in known]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = sorted(it.hash for it in known[name])
            waiting += [use for it in known[name] for use in it.uses if use in known]
    return found


def _definitions(file: Path) -> dict[str, list[Definition]]:
    try:
        status = file.stat()
        return _read_definitions(file, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError, SyntaxError):
        return {}


@cache
def _read_definitions(file: Path, _changed: int, _size: int) -> dict[str, list[Definition]]:
    """Every definition in a module and in its classes, by its name; a class is none itself."""
    found: dict[str, list[Definition]] = {}
    for name, tree in _named(ast.parse(read_file(file)).body):
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        uses = frozenset((names | attributes_in(tree)) - {name})
        found.setdefault(name, []).append(Definition(hash_of_tree(tree), uses))
    return found


def _named(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _named(node.body)
        elif isinstance(node, ast.FunctionDef):
            yield node.name, node
        else:
            targets = [getattr(node, "target", None), *getattr(node, "targets", [])]
            yield from ((it.id, node) for it in targets if isinstance(it, ast.Name))
