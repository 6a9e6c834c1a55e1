"""What the catalog can be filtered by, and what its script needs to know of each case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from docsite.content import Content
from docsite.effect import LETTERS, with_counts
from docsite.matrix import with_absent
from validators.catalog import Case
from validators.catalog.frontmatter import SEVERITIES
from validators.evidence.columns import Column
from validators.evidence.words import STATES
from validators.published.standing import Cell, Standing

_KINDS = ("limitation", "practice", "retraction")
Option = tuple[str, str]
"""A value as it stands in the address, and as readers see it."""


@dataclass(frozen=True)
class Field:
    """One question of the form; `name` is its key in the address.

    A field without `options` is for text. `none` is the option that asks for nothing. `more` fields
    are folded.
    """

    name: str
    label: str
    options: list[Option] | None = None
    none: str = "any"
    more: bool = False


@dataclass(frozen=True)
class Filters:
    """The form, and the cells of each case in a code that is short enough for 700 rows.

    `columns` describes the columns of `codes`: device, accelerator and release of each, "*" for
    any release and "absent" where only another device has one. A code has a letter per column,
    which is the state's place in `states`; a capital says that the claim does not apply there. Runs
    are written `with_counts`.
    `silent` names the limitations that make results wrong without a message.
    """

    fields: list[Field]
    columns: str
    states: str
    codes: dict[str, str]
    silent: frozenset[str]


def filters(content: Content) -> Filters:
    """The filters of the catalog; they offer only values that some case has."""
    columns = content.environments
    absent, cells = with_absent(columns, content.standings)
    codes = {name: _code(it, cells[name]) for name, it in content.standings.items()}
    return Filters(
        list(_fields(content, columns, codes.values())),
        ";".join([*map(_described, columns), *(f"{_described(c)} absent" for c in absent)]),
        " ".join(STATES),
        codes,
        frozenset(case.name for case in content.catalog.cases if _silent(case)),
    )


def query(area: str, column: Column, state: str) -> str:
    """The address of the catalog's cases of `area` ("" for all) that are in `state` in `column`."""
    device = column.accelerator if column.name else column.device
    values = {"area": area, "device": device, "status": state, "torch": column.torch}
    return f"?{urlencode({key: value for key, value in values.items() if value})}"


def _fields(content: Content, columns: Sequence[Column], codes: Iterable[str]) -> Iterator[Field]:
    metas = [case.meta for case in content.catalog.cases]
    gpus = {c.accelerator: c.on for c in columns if c.name and c.device != "cpu"}
    letters = set("".join(codes).lower()) - {LETTERS["na"]}
    releases = [(it, it) for it in reversed(content.releases)]
    yield Field("text", "Words")
    if releases:
        here = [("bad", "affects it"), ("good", "fixed in it"), ("none", "not shown or not tried")]
        yield Field("here", "On your torch", here)
    severities = [it for it in SEVERITIES if any(m.severity == it for m in metas)]
    yield Field("severity", "Severity", [(it, it) for it in severities])
    yield Field("area", "Area", [(a, a.replace("_", " ")) for a in content.standings_by_area])
    if any(map(_silent, content.catalog.cases)):
        yield Field("silent", "Silent", [("yes", "wrong results, no message")])
    kinds = [it for it in _KINDS if any(m.kind == it for m in metas)]
    yield Field("kind", "Kind", [(kind, kind) for kind in kinds], more=True)
    devices = [*((d, d.upper()) for d in content.devices), *sorted(gpus.items())]
    yield Field("device", "Device", devices, more=True)
    states = [(k, f"{it.symbol} {it.word}") for k, it in STATES.items() if LETTERS[k] in letters]
    yield Field("status", "Verdict", states, more=True)
    if releases:
        yield Field("torch", "torch", releases, more=True)
    if len(releases) > 1:
        yield Field("from", "Changed from", releases, "none", more=True)
        yield Field("to", "to", releases, "none", more=True)


def _silent(case: Case) -> bool:
    """Whether the case is a limitation that makes results wrong, and no exception tells of it."""
    return case.meta.kind == "limitation" and "symptom" in case.meta.results


def _described(column: Column) -> str:
    return f"{column.device} {column.accelerator} {column.torch or '*'}"


def _code(standing: Standing, cells: Sequence[Cell]) -> str:
    letters = []
    for cell in cells:
        letter = LETTERS["retired" if standing.case.retired else cell.state.key]
        letters.append(letter.upper() if cell.state.key == "na" else letter)
    return with_counts("".join(letters))
