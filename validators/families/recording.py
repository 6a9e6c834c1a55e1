"""Record what a release of torch can say, beside what other releases say."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from validators.errors import CasebookError
from validators.families.family import KINDS, Kind, Said, in_order, release_key
from validators.families.stored import KindFile, StoredFamily, load_kind, ordered, write_kind
from validators.families.torch_source.cudagraph_skips import cudagraph_skips
from validators.families.torch_source.exceptions import exceptions
from validators.families.torch_source.formats import shape_of
from validators.families.torch_source.found import Found
from validators.families.torch_source.graph_breaks import graph_breaks, standard_hints
from validators.families.torch_source.guards import guards
from validators.families.torch_source.installed import Release
from validators.families.torch_source.messages import warnings

MAY_LACK: tuple[Kind, ...] = ("graph_break",)
"""Kinds that old releases do not have: graph breaks had no registry before torch 2.9."""
_LONGEST = 400
"""Longer formats are cut; their first lines tell what they are."""
READERS: Mapping[Kind, Callable[[Release], Iterator[Found]]] = {
    "graph_break": graph_breaks,
    "cudagraph_skip": cudagraph_skips,
    "guard": guards,
    "exception": exceptions,
    "warning": warnings,
}
"""What finds the families of each kind in a release."""


@dataclass(frozen=True)
class Recorded:
    """What a release has of a kind, beside what is recorded.

    `known` is how many families it has, `new` are keys that were not recorded before, `gone` those
    that no recorded release has now.
    """

    kind: Kind
    release: str
    known: int
    new: tuple[str, ...]
    gone: tuple[str, ...]


def read(playbooks: Path, release: Release, *, record: bool) -> list[Recorded]:
    """Read a release; with `record`, replace what is recorded of it.

    Raises:
        CasebookError: a recorded file, or torch's registry, is damaged.
    """
    contents = []
    for kind in KINDS:
        before = load_kind(playbooks, kind)
        after = with_release(before, kind, release, found(kind, release))
        contents.append((kind, before, after))
    for kind, _, after in contents if record else ():
        write_kind(playbooks, kind, after)
    return [_recorded(kind, release.torch, *both) for kind, *both in contents]


def found(kind: Kind, release: Release) -> list[Found]:
    """What a release says of a kind.

    Raises:
        CasebookError: nothing is found where every release has something, so the reader of the kind
            no longer understands torch's files.
    """
    said = list(READERS[kind](release))
    if not said and kind not in MAY_LACK:
        raise CasebookError(
            f"{release.folder}: holds no {kind} that the reader knows; adapt validators/families"
        )
    return said


def _recorded(kind: Kind, release: str, before: KindFile, after: KindFile) -> Recorded:
    return Recorded(
        kind=kind,
        release=release,
        known=sum(_has(it, release) for it in after.families.values()),
        new=tuple(sorted(after.families.keys() - before.families.keys())),
        gone=tuple(sorted(before.families.keys() - after.families.keys())),
    )


def _has(family: StoredFamily, release: str) -> bool:
    return any(release in (*it.on, *it.listed) for it in family.said)


def with_release(stored: KindFile, kind: Kind, release: Release, news: Iterable[Found]) -> KindFile:
    """What is stored, with `news` in place of what was stored of `release`."""
    said: dict[str, list[Said]] = {}
    for key, family in stored.families.items():
        said[key] = [it for old in family.said if (it := _without(old, release.torch))]
    hints = {name: dict(texts) for name, texts in stored.hints.items()}
    for texts in hints.values():
        texts.pop(release.torch, None)
    if kind == "graph_break":
        for name, text in standard_hints(release).items():
            hints.setdefault(name, {})[release.torch] = text
    names = {text: name for name, it in hints.items() for text in it.get(release.torch, ())}
    for key, told in _by_family(news, release.torch, names).items():
        for new in told:
            said[key] = _joined(said.get(key, []), new, release.torch)
    beside = {"triton": release.triton} if release.triton else {}
    return KindFile(
        releases={**stored.releases, release.torch: beside},
        hints={name: texts for name, texts in hints.items() if texts},
        families={key: StoredFamily(ordered(it)) for key, it in sorted(said.items()) if it},
    )


def _without(said: Said, release: str) -> Said | None:
    """What other releases say; None if none does."""
    on = tuple(it for it in said.on if it != release)
    listed = tuple(it for it in said.listed if it != release)
    return structs.replace(said, on=on, listed=listed) if on or listed else None


def _said(found: Found, release: str, names: Mapping[str, str]) -> Said:
    text = inspect.cleandoc(found.format)
    return Said(
        format=text if len(text) <= _LONGEST else _cut(text),
        context=found.context,
        explanation=found.explanation,
        hints=tuple(names.get(it, it) for it in found.hints),
        on=(release,) if found.printed else (),
        listed=() if found.printed else (release,),
        files=(found.file,) if found.file else (),
    )


def _cut(text: str) -> str:
    """The beginning of a format, which ends outside a hole."""
    kept = text[:_LONGEST]
    return (kept[: kept.rindex("{")] if kept.count("{") > kept.count("}") else kept) + "…"


def _by_family(
    found: Iterable[Found], release: str, names: Mapping[str, str]
) -> dict[str, list[Said]]:
    """What the release says in each family; the same words in two files are said once."""
    said: dict[str, list[Said]] = {}
    for it in found:
        new = _said(it, release, names)
        here = said.setdefault(it.key, [])
        place = next((place for place, old in enumerate(here) if _alike(old, new)), None)
        if place is None:
            here.append(new)
        else:
            files = tuple(sorted({*here[place].files, *new.files}))
            here[place] = structs.replace(here[place], files=files)
    return said


def _joined(said: list[Said], new: Said, release: str) -> list[Said]:
    """What is said, with `new` in it: joined with the same words of other releases.

    The newest release tells what holes are called, and the files.
    """
    place = next((place for place, it in enumerate(said) if _alike(it, new)), None)
    if place is None:
        return [*said, new]
    old = said[place]
    newest = all(release_key(release) > release_key(it) for it in (*old.on, *old.listed))
    joined = structs.replace(
        new if newest else old,
        on=in_order((*old.on, *new.on)),
        listed=in_order((*old.listed, *new.listed)),
    )
    return [*said[:place], joined, *said[place + 1 :]]


def _alike(one: Said, other: Said) -> bool:
    """Whether two releases say the same, whatever they call what they fill in."""
    return one.hints == other.hints and all(
        shape_of(getattr(one, name)) == shape_of(getattr(other, name))
        for name in ("format", "context", "explanation")
    )
