"""The files of families: `playbooks/families/KIND.json`, written by a program, a line a family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from validators.errors import CasebookError, Problem
from validators.evidence.stored.files import text_of
from validators.evidence.stored.writing import locked, replace_file
from validators.families.family import KINDS, Family, Kind, Said, in_order, release_key
from validators.families.torch_source.formats import shape_of
from validators.files import read_file

FOLDER = "families"
_REMEDY = "restore it, or delete it and run `python -m validators families --python P --record`"


class About(Struct, frozen=True, kw_only=True):
    """Where the texts of a file come from."""

    source: str = (
        "PyTorch, Copyright (c) Facebook, Inc. and its affiliates and other contributors, "
        "BSD-3-Clause, https://github.com/pytorch/pytorch/blob/main/LICENSE; read from its "
        "released packages by `python -m validators families --record`"
    )
    triton: str = "Triton, Copyright (c) Philippe Tillet and OpenAI, MIT"


class KindFile(Struct, frozen=True, kw_only=True):
    """One file: the recorded releases with the Triton beside each, and the families by key.

    `hints` holds the texts of the hints that torch names, by release; families use the names.
    """

    about: About = About()
    releases: dict[str, dict[str, str]] = {}
    hints: dict[str, dict[str, list[str]]] = {}
    families: dict[str, StoredFamily] = {}


class StoredFamily(Struct, frozen=True):
    """The line of a family."""

    said: tuple[Said, ...]


_decode = msgspec.json.Decoder(KindFile).decode


def kind_path(playbooks: Path, kind: Kind) -> Path:
    """The file of a kind."""
    return playbooks / FOLDER / f"{kind}.json"


def load_families(playbooks: Path) -> list[Family]:
    """All recorded families, by kind and key; none where nothing is recorded.

    Raises:
        CasebookError: a file is damaged; the message says which.
    """
    return [it for kind in KINDS for it in families_of(kind, load_kind(playbooks, kind))]


def load_kind(playbooks: Path, kind: Kind) -> KindFile:
    """The file of a kind; an empty one if it does not exist.

    Raises:
        CasebookError: it is damaged.
    """
    path = kind_path(playbooks, kind)
    try:
        return _decode(read_file(path))
    except FileNotFoundError:
        return KindFile()
    except (OSError, ValueError, RecursionError) as error:
        raise CasebookError(str(Problem(path, 0, f"is damaged ({error}); {_REMEDY}"))) from None


def recorded_releases(playbooks: Path) -> tuple[str, ...]:
    """The releases whose vocabulary is recorded, oldest first."""
    return in_order(it for kind in KINDS for it in load_kind(playbooks, kind).releases)


def families_of(kind: Kind, stored: KindFile) -> list[Family]:
    """The families of one file."""
    same = _same_messages(stored)
    return [
        Family(
            kind=kind,
            key=key,
            said=tuple(_with_hints(said, stored.hints) for said in it.said),
            same=same.get(key, ()),
        )
        for key, it in stored.families.items()
    ]


def _with_hints(said: Said, named: Mapping[str, Mapping[str, list[str]]]) -> Said:
    """What is said, with the texts of named hints as the newest of its releases words them."""
    if not any(it in named for it in said.hints):
        return said
    last = max((*said.on, *said.listed), key=release_key)
    hints = (text for it in said.hints for text in named.get(it, {}).get(last, [it]))
    return msgspec.structs.replace(said, hints=tuple(hints))


def _same_messages(stored: KindFile) -> dict[str, tuple[str, ...]]:
    """The other keys under which a family's message stands, on any release."""
    keys: dict[str, set[str]] = defaultdict(set)
    for key, it in stored.families.items():
        for said in it.said:
            if said.format:
                keys[shape_of(said.format)].add(key)
    found: dict[str, set[str]] = defaultdict(set)
    for shared in keys.values():
        for key in shared if len(shared) > 1 else ():
            found[key] |= shared - {key}
    return {key: tuple(sorted(others)) for key, others in found.items()}


def write_kind(playbooks: Path, kind: Kind, content: KindFile) -> None:
    """Write the file of a kind."""
    folder = playbooks / FOLDER
    with locked(folder):
        text = text_of(msgspec.to_builtins(content))
        replace_file(folder, kind_path(playbooks, kind), text)


def ordered(said: Iterable[Said]) -> tuple[Said, ...]:
    """What is said: the newest release first, and of one release the shortest format."""

    def place(it: Said) -> tuple[tuple[int, ...], bool, int, str]:
        last = max(map(release_key, (*it.on, *it.listed)))
        return tuple(-part for part in last), not it.on, len(it.format), it.format

    return tuple(sorted(said, key=place))
