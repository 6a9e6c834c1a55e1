"""`catalog.json`: all cases with their computed status, for agents and other tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct, field

from docsite import links
from docsite.content import Content
from validators.catalog import FrontMatter
from validators.catalog.frontmatter import Device
from validators.evidence.coverage import Coverage
from validators.evidence.status import Device as ColumnDevice
from validators.evidence.status import Overall, State, Status, overall
from validators.evidence.words import STATES
from validators.published.standing import Standing, cuda_coverage, decided_share

FORMAT: Literal[2] = 2
"""Raised when a field is removed or changes its meaning, but not when a field is added."""


class StateMeaning(Struct, frozen=True):
    """A state in words."""

    word: str
    meaning: str


class ColumnEntry(Struct, frozen=True):
    """An environment that holds records; `accelerator` is "cpu" or a GPU's.

    `device` is torch's, or "compiled" if arms compiled for a GPU and never ran there.
    """

    name: str
    torch: str
    device: ColumnDevice
    accelerator: str


class CellEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case in one environment.

    `state` is what counts today, unless the case is retired. `verdict` is the record's, "" if there
    is none; the verdict of a stale record is about an older proof. `expected` says that there is a
    record and that the page's `holds` expects *confirmed* there, `surprising` that an arm broke or
    that the verdict is not the expected one.
    """

    state: State
    verdict: str = ""
    reason: str = ""
    stale: bool = False
    expected: bool = False
    surprising: bool = False


class StatusEntry(Struct, frozen=True, kw_only=True):
    """What evidence says of a case: one state, one sentence, and each environment by its column.

    `undecided_on` names the devices on which the claim has a meaning and nothing decides it.
    """

    overall: Overall
    sentence: str
    undecided_on: list[Device]
    columns: dict[str, CellEntry]


class CaseEntry(Struct, frozen=True, kw_only=True):
    """One case. `meta` is what people wrote in its front matter; paths begin at the site's root.

    `page` and `proof` are the files in the repository; `retired` says why it is no longer run.
    """

    name: str
    area: str
    title: str
    retired: str
    url: str
    markdown: str
    page: str
    proof: str
    status: StatusEntry
    meta: FrontMatter


class Totals(Struct, frozen=True):
    """How many claims there are, how many some environment decides, and the same on CUDA.

    `cuda` says what those that apply to CUDA rest on; `cuda_decided` are those that ran there.
    """

    claims: int
    decided: int
    cuda_claims: int
    cuda_decided: int
    cuda: Coverage


class CatalogFile(Struct, frozen=True, kw_only=True):
    """`catalog.json` of the site; `$schema` leads to its JSON Schema."""

    schema: str = field(name="$schema")
    format: Literal[2]
    totals: Totals
    states: dict[str, StateMeaning]
    columns: list[ColumnEntry]
    cases: list[CaseEntry]


def catalog_file(content: Content) -> str:
    """The text of `catalog.json`, one line per case."""
    standings = list(content.standings.values())
    decided, claims = decided_share(standings)
    cuda = cuda_coverage(standings)
    head = CatalogFile(
        schema="schemas/catalog.json",
        format=FORMAT,
        totals=Totals(claims, decided, cuda.claims, cuda.ran, cuda),
        states={key: StateMeaning(it.word, it.meaning) for key, it in STATES.items()},
        columns=[
            ColumnEntry(it.name, it.torch, it.device, it.accelerator) for it in content.columns
        ],
        cases=[],
    )
    before, _, after = _encoded(head).rpartition("[]")
    lines = ",\n".join(_encoded(case) for case in _cases(content))
    return f"{before}[\n{lines}\n]{after}\n"


def _encoded(value: Struct) -> str:
    return msgspec.json.encode(value).decode()


def _cases(content: Content) -> Iterator[CaseEntry]:
    root = content.root
    for case in content.catalog.cases:
        url = links.case_page(case.name)
        yield CaseEntry(
            name=case.name,
            area=case.area,
            title=case.title,
            retired=case.retired,
            url=url,
            markdown=links.copy_of(url),
            page=case.page.relative_to(root).as_posix(),
            proof=case.proof.relative_to(root).as_posix(),
            status=_status(content.standings[case.name]),
            meta=case.meta,
        )


def _status(standing: Standing) -> StatusEntry:
    case, known = standing.case, {it.column.name: it.status for it in standing.cells}
    return StatusEntry(
        overall=overall(case, standing.states),
        sentence=standing.sentence,
        undecided_on=[it for it in case.meta.devices if it in standing.open_devices],
        columns={column: _cell(status) for column, status in known.items()},
    )


def _cell(status: Status) -> CellEntry:
    return CellEntry(
        state=status.state,
        verdict=status.record.verdict if status.record else "",
        reason=status.reason,
        stale=status.state == "stale",
        expected=status.expected,
        surprising=status.surprising,
    )
