"""What the catalog can be filtered by, and what its script needs to know of each case."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from docsite.content import Content
from docsite.matrix import by_release, cells_in
from docsite.page import CATALOG
from docsite.status import STATES, Standing
from validators.evidence.columns import Column

_KINDS = ("limitation", "practice", "retraction")
_LETTERS = dict(zip(STATES, string.ascii_lowercase, strict=False))
Option = tuple[str, str]
"""A value as it stands in the address, and as readers see it."""


@dataclass(frozen=True)
class Field:
    """One question of the form; `name` is its key in the address."""

    name: str
    label: str
    options: list[Option]


@dataclass(frozen=True)
class Filters:
    """The form, and the cells of each case in a code that is short enough for 700 rows.

    `columns` describes the columns of `codes`: device, accelerator and release of each, "*" for
    any release and "absent" where only another device has one. A code has a letter per column,
    which is the state's place in `states`; a capital says that the claim does not apply there.
    """

    fields: list[Field]
    columns: str
    states: str
    codes: dict[str, str]


def filters(content: Content) -> Filters:
    """The filters of the catalog; they offer only values that some case has."""
    columns = content.environments
    absent = list(by_release(columns))
    standings = content.standings
    codes = {name: _code(s, [*columns, *absent]) for name, s in standings.items()}
    return Filters(
        [field for field in _fields(content, columns, codes.values()) if field.options],
        ";".join([*map(_described, columns), *(f"{_described(c)} absent" for c in absent)]),
        " ".join(STATES),
        codes,
    )


def query(area: str, column: Column, state: str) -> str:
    """The address of the catalog's cases of `area` ("" for all) that are in `state` in `column`."""
    device = column.accelerator if column.name else column.device
    values = {"area": area, "device": device, "status": state, "torch": column.torch}
    return f"{CATALOG[1]}?{urlencode({key: value for key, value in values.items() if value})}"


def _fields(content: Content, columns: Sequence[Column], codes: Iterable[str]) -> list[Field]:
    metas = [case.meta for case in content.catalog.cases]
    kinds = {meta.kind for meta in metas}
    gpus = {c.accelerator for c in columns if c.name and c.device == "cuda"}
    letters = set("".join(codes).lower()) - {_LETTERS["na"]}
    releases = dict.fromkeys(column.torch for column in reversed(content.columns))
    return [
        Field("area", "Area", [(a, a.replace("_", " ")) for a in content.by_area]),
        Field("kind", "Kind", [(kind, kind) for kind in _KINDS if kind in kinds]),
        Field(
            "device",
            "Device",
            [(d, d.upper()) for d in (*content.devices, *sorted(gpus))],
        ),
        Field(
            "status",
            "Status",
            [
                (key, f"{state.symbol} {state.word}")
                for key, state in STATES.items()
                if _LETTERS[key] in letters
            ],
        ),
        Field("torch", "torch", [(release, release) for release in releases]),
    ]


def _described(column: Column) -> str:
    return f"{column.device} {column.accelerator} {column.torch or '*'}"


def _code(standing: Standing, columns: Sequence[Column]) -> str:
    letters = []
    for cell in cells_in(standing, columns):
        letter = _LETTERS["retired" if standing.case.retired else cell.state.key]
        meant = cell.column.device in standing.case.meta.devices
        letters.append(letter if meant else letter.upper())
    return "".join(letters)
