"""Scan a user's model for silent errors: what was compiled wrongly, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from validators.diagnose.explaining.located import stack_of
from validators.diagnose.findings.finding import Place
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, ask_all
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.environment.column_name import release_of
from validators.errors import CasebookError
from validators.silent.known import Known, named
from validators.silent.telling import KnownError, error_lines, known_error

Kind = Literal["traced", "ops", "whole"]


@dataclass(frozen=True)
class WrongPart:
    """What is compiled wrongly.

    "traced" is wrong with backend `eager`, too: Dynamo is to blame. "ops" has the shortest run of
    `ops` that is wrong where only they are compiled, and `place` is the line of the last one.
    "whole" is wrong only as a whole. `call` counts from 1, `part` says what of it differs. `known`
    are the errors of the collection with these ops, or whose programs are like the code.
    """

    kind: Kind
    ops: list[str]
    place: str
    code: str
    call: int
    part: str
    known: list[KnownError]


@dataclass(frozen=True)
class Upgrade:
    """What another torch does to what is wrong: some of it is `gone`, some is `new`.

    `undecided` says why something was not compared there, "" if all was.
    """

    torch: str
    gone: list[WrongPart]
    new: list[WrongPart]
    undecided: str


@dataclass(frozen=True)
class Scan:
    """What a scan found; `undecided` says why something was not compared, "" if all was.

    `ops` counts what Dynamo traced, and `known` the errors of the collection on this release.
    """

    target: str
    torch: str
    ops: int
    known: int
    wrong: list[WrongPart]
    undecided: str
    upgrade: Upgrade | None = None


def upgraded(here: Scan, there: Scan) -> Scan:
    """The scan with what is gone and what is new in that of the same target on another torch."""
    mine, theirs = ({_key(part): part for part in scan.wrong} for scan in (here, there))
    gone = [] if there.undecided else [part for key, part in mine.items() if key not in theirs]
    new = [part for key, part in theirs.items() if key not in mine]
    return replace(here, upgrade=Upgrade(there.torch, gone, new, there.undecided))


def _key(part: WrongPart) -> tuple[str, str, tuple[str, ...]]:
    """What tells wrong parts of a target apart on any release."""
    return part.kind, part.place, tuple(part.ops)


def scanned(
    env: Environment, options: dict[str, Any], timeout: float, spec: Spec, known: list[Known]
) -> Scan:
    """What is silently wrong in a target.

    Raises:
        CasebookError: the target cannot be used, or the scan gives no result.
    """
    here = [error for error in known if error.affects(env.column)]
    programs = {
        "traced": {error.name: error.code for error in here if error.traced},
        "compiled": {error.name: error.code for error in here if not error.traced},
    }
    shaping = {"programs": programs, "seconds": timeout}

    async def ask(asking: Asking) -> Any:
        return await asking.ask(spec, "scan", more={"shaping": shaping})

    done = ask_all(env, options, timeout, ask)
    if done.failure:
        raise CasebookError(masked(f"{spec}: {done.failure}", spec.folder))
    found = done.result
    scan = Scan(
        target=str(spec),
        torch=env.fingerprint.torch,
        ops=found["ops"],
        known=len(here),
        wrong=[*_without_ops(found, here), *(_of_chain(chain, here) for chain in found["chains"])],
        undecided=_undecided(found),
    )
    told: Scan = masked(scan, spec.folder)
    return told


def _without_ops(found: dict[str, Any], here: list[Known]) -> Iterator[WrongPart]:
    for kind in ("traced", "whole"):
        if differs := found[kind]:
            like = [error for name in found["like"] for error in here if error.name == name]
            yield _part(kind, [], [], differs, like)


def _of_chain(found: dict[str, Any], here: list[Known]) -> WrongPart:
    return _part(
        "ops", found["ops"], stack_of(found), found, named(found["ops"], found["part"], here)
    )


def _part(
    kind: Kind, ops: list[str], stack: list[Place], differs: dict[str, Any], known: list[Known]
) -> WrongPart:
    place = stack[0] if stack else None
    return WrongPart(
        kind=kind,
        ops=ops,
        place=str(place) if place else "",
        code=place.code if place else "",
        call=differs["call"] + 1,
        part=differs["part"],
        known=[known_error(error, ops) for error in known],
    )


def _undecided(found: dict[str, Any]) -> str:
    if found["unsteady"]:
        return "eager mode does not repeat itself, so nothing was compared"
    if raised := found["raised"]:
        kind = raised["type"].rpartition(".")[2]
        return f"call {raised['call'] + 1} raises {kind}; `diagnose` says why"
    if found["late"]:
        return "time ended before all was tried; give it more with --timeout"
    return ""


def lines(scan: Scan) -> Iterator[str]:
    """What a scan found, in words."""
    for part in scan.wrong:
        yield from _part_lines(part)
    if scan.undecided:
        yield f"undecided: {scan.undecided}"
    release = release_of(scan.torch.partition("+")[0])
    count = len(scan.wrong)
    compared = f"{scan.ops} ops; the collection has {scan.known} errors on torch {release}"
    yield f"{scan.target}: {count} silent error{'s' * (count != 1)} ({compared})"
    if scan.upgrade:
        yield from _upgrade_lines(scan.upgrade)


def _upgrade_lines(upgrade: Upgrade) -> Iterator[str]:
    release = release_of(upgrade.torch.partition("+")[0])
    for part in upgrade.new:
        yield from _part_lines(part)
    gone = ", ".join(part.place or part.kind for part in upgrade.gone)
    yield f"on torch {release}, right again: {gone or 'nothing'}; new: {len(upgrade.new)}"
    if upgrade.undecided:
        yield f"undecided there: {upgrade.undecided}"


def _part_lines(part: WrongPart) -> Iterator[str]:
    if part.kind == "ops":
        yield f"{part.place or 'somewhere'}: {part.code}".rstrip(": ")
        what = f"{', '.join(part.ops)}: wrong where only this is compiled"
    elif part.kind == "traced":
        yield "Dynamo traces something else than the code does"
        what = "wrong with backend `eager`, too"
    else:
        yield "Inductor compiles the graphs as a whole wrongly"
        what = "right where only a part of the ops is compiled"
    yield f"   {what}; call {part.call}: {part.part} is not eager mode's"
    if not part.known:
        yield "   the collection has no such program; `diagnose --only results` traces the cause"
    for error in part.known:
        yield from (f"   {line}" for line in error_lines(error))
