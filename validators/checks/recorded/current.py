"""Checks of records by column: each is of a program that exists and has not changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from validators.errors import Problem


class Digested(Protocol):
    """A record; `digest` covers what its program did."""

    @property
    def digest(self) -> str:
        """The digest of the program that ran."""


def check_current(
    records: Mapping[str, Mapping[str, Digested]],
    digests: Mapping[str, str],
    place: Callable[[str], Path],
    kind: str,
    command: str,
) -> Iterator[Problem]:
    """Records, by program and column, of no program, or of one whose digest is another now.

    `place` gives the file of a name, `kind` says what has such records, `command` makes them.
    """
    for name, columns in records.items():
        if name not in digests:
            yield Problem(place(name), 0, f"{name} is not a {kind}; delete the file")
            continue
        for column, record in columns.items():
            if record.digest != digests[name]:
                message = f"{column} is out of date: the program has changed since"
                run = f"python -m validators {command} {name} --record"
                yield Problem(place(name), 0, f"{message}; run `{run}` on that torch")
