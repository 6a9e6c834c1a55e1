"""A family: one thing that the compiler can say, and what each release of torch says in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, get_args

from msgspec import Struct

from validators.families.patterns import class_pattern, pattern_of, telling_line

Kind = Literal["graph_break", "cudagraph_skip", "guard", "exception", "warning"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Said(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What some releases say in a family, in torch's words; holes are in braces.

    `on` are the releases whose code prints it. `listed` are those whose registry still lists it
    although no code prints it. `files` hold it, in the newest of these releases.
    """

    format: str
    context: str = ""
    explanation: str = ""
    hints: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Family(Struct, frozen=True, kw_only=True, dict=True):
    """One thing that the compiler can say; `key` names it on every release.

    `said` begins with what the newest release says. `same` are the keys of families with the same
    message, on the same or another release.
    """

    kind: Kind
    key: str
    said: tuple[Said, ...]
    same: tuple[str, ...] = ()

    @property
    def newest(self) -> Said:
        """What the newest release says that prints or lists it."""
        return self.said[0]

    @cached_property
    def title(self) -> str:
        """The type of a graph break, the name of an exception, or the line that is printed.

        A guard that is printed in several forms has two of them.
        """
        if self.kind == "exception":
            return self.key
        last = (*self.newest.on, *self.newest.listed)[-1]
        forms = [telling_line(it.format) for it in self.said if last in (*it.on, *it.listed)]
        return " or ".join(dict.fromkeys(forms[: 2 if self.kind == "guard" else 1]))

    @cached_property
    def releases(self) -> tuple[str, ...]:
        """The recorded releases whose code prints it, oldest first."""
        return in_order(it for said in self.said for it in said.on)

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The recorded releases that list it although no code of theirs prints it."""
        return in_order(it for said in self.said for it in said.listed)

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """Patterns of the lines by which it is known; a line of the family fits one of them."""
        return tuple(dict.fromkeys(filter(None, self._patterns())))

    def _patterns(self) -> Iterator[str]:
        if self.kind == "exception":
            yield class_pattern(self.key)
        for said in self.said:
            yield pattern_of(self.kind, self.key, said.format)

    def on(self, release: str) -> Said | None:
        """What a release says or lists; None if it does neither."""
        return next((it for it in self.said if release in (*it.on, *it.listed)), None)


def in_order(releases: Iterable[str]) -> tuple[str, ...]:
    """Each release once, as versions follow each other."""
    return tuple(sorted(set(releases), key=release_key))


def release_key(release: str) -> tuple[int, ...]:
    """Sorts releases of the form 2.13.0 as numbers."""
    return tuple(int(part) if part.isdigit() else 0 for part in release.split("."))
