"""The status of a case, computed from evidence: it never claims more than a program decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from validators.catalog import Case, doubt_about, expected_to_hold
from validators.environment.column_name import by_release, release_of, release_order
from validators.evidence.freshness import Freshness
from validators.evidence.stored.examples import ExampleRun, disagreement, example_digest
from validators.evidence.stored.record import LACKS, Record
from validators.verdicts import DECIDED, Verdict

State = Verdict | Literal["stale", "na", "lacks", "unshown", "unremedied", "unexplained"]
"""A current verdict, or why there is none.

"na" says that the claim is about another device, "lacks" that the release of torch lacks what the
proof needs. "unshown" says that the symptom did not show, which is not enough: it met trouble in
other words, or the page's example does not second it. "unremedied" says that the symptom shows,
that the release lacks what the remedy needs, and that the example has not shown a fix there.
"unexplained" says that the symptom did not show on a release before the first that shows it, and
that the page names no cause of the change.
"""
SHOWN: tuple[State, ...] = ("confirmed", "remedy-failed", "unremedied")
"""The states in which the symptom showed."""
Overall = State | Literal["compiled", "differs", "retired"]
"""One state for lists; "compiled" says that only compiling for a GPU decides it."""
Device = Literal["cpu", "cuda", "xpu", "mps", "compiled"]
"""What a column is of: a torch device type, or a GPU that was compiled for, where nothing ran."""
_NAMED: dict[str, Device] = {it: it for it in get_args(Device)}
"""By the last part of a column's name; one that is named after a GPU alone is of a CUDA device."""
_UNDECIDED: tuple[State, ...] = (
    "stale",
    "error",
    "unstable",
    "unremedied",
    "unshown",
    "unexplained",
    "skipped",
)
"""The names of an undecided case's state; the first that some column has counts."""

_AGAINST: tuple[State, ...] = (
    "refuted",
    "unshown",
    "unexplained",
    "remedy-failed",
    "unremedied",
    "unstable",
)
"""The states that contradict an expected *confirmed*."""


class Status(Struct, frozen=True):
    """The state of one case in one column, and the record there, if any.

    `second` is what the page's example, the second witness, says against the record: where it
    contradicts it, which is an error, or leaves it without support.
    """

    case: Case
    state: State
    record: Record | None = None
    second: str = ""

    @property
    def was(self) -> str:
        """The verdict of a stale record; "" if the record is not stale."""
        return self.record.verdict if self.record and self.state == "stale" else ""

    @property
    def reason(self) -> str:
        """Why nothing is decided here; "" if something is."""
        return self.second or (self.record.reason if self.record else "")

    @property
    def expected(self) -> bool:
        """Whether the page's `holds` expects *confirmed* of the record."""
        return self.record is not None and expects(self.case, self.record)

    @property
    def surprising(self) -> bool:
        """Whether an arm broke, or the verdict is not the one that the page expects."""
        if self.state == "error":
            return True
        return self.state in _AGAINST and self.expected


def status_on(
    case: Case,
    column: str,
    record: Record | None,
    freshness: Freshness,
    example: ExampleRun | None = None,
) -> Status:
    """The status of `case` on `column`: `record` and `example` are what evidence holds there."""
    if not applies(case, column):
        # A record there only says that the case was skipped because it needs the other device.
        return Status(case, "na")
    if record is None:
        return Status(case, "undecided")
    if not freshness.is_current(case, record):
        return Status(case, "stale", record)
    if record.lacks:
        return Status(case, "lacks", record)
    if example is not None and example.digest != example_digest(case):
        example = None
    if contradiction := disagreement(record, example):
        return Status(case, "error", record, contradiction)
    state = _state(record)
    if state == "unremedied" and example is not None and example.verdict == "confirmed":
        state = "confirmed"
    doubt = _doubt(case, column, example) if state == "refuted" else ""
    return Status(case, "unshown" if doubt else state, record, doubt)


def _doubt(case: Case, column: str, example: ExampleRun | None) -> str:
    """Why a refuted proof decides nothing: another program, or no example that seconds it."""
    if why := doubt_about(case.meta, release_of(column)):
        return why
    if case.example is None or device_of(column) != "cpu":
        return ""
    if example is None:
        return "the page's example, the second witness, has not run here"
    return "" if example.absent else f"the page's example: {example.reason}"


def _state(record: Record) -> State:
    if record.verdict == "refuted" and record.reason:
        return "unshown"
    if record.verdict == "remedy-failed" and record.reason.endswith(LACKS):
        return "unremedied"
    return record.verdict


def explained(case: Case, statuses: Mapping[str, Status]) -> dict[str, Status]:
    """The statuses of a case by column, with those "unexplained" that only all of them can tell.

    A program that shows nothing on an older release may look at what that release calls otherwise.
    It decides something only if the page's `since` names what brought the symptom.
    """
    early = set() if case.meta.since else before_shown(statuses)
    return {
        column: replace(it, state="unexplained")
        if column in early and it.state == "refuted"
        else it
        for column, it in statuses.items()
    }


def before_shown(statuses: Mapping[str, Status]) -> set[str]:
    """The columns in which it does not show before the first release that shows the symptom."""
    shown = [column for column, it in statuses.items() if it.state in SHOWN]
    first = {device_of(column): column for column in sorted(shown, key=by_release, reverse=True)}
    return {
        column
        for column, it in statuses.items()
        if it.state in ("refuted", "unshown")
        and (start := first.get(device_of(column)))
        and release_order(column) < release_order(start)
    }


def device_of(column: str) -> Device:
    """What a column is of."""
    return _NAMED.get(column.rpartition("-")[2], "cuda")


def applies(case: Case, column: str) -> bool:
    """Whether the claim has a meaning in the column, and can be decided there."""
    device = device_of(column)
    others = case.meta.gpus and device != "cpu" and {*case.meta.gpus}.isdisjoint(column.split("-"))
    return not others and applies_on(case, device)


def applies_on(case: Case, device: Device) -> bool:
    """Whether the claim has a meaning in columns of this kind, and can be decided there."""
    if device == "compiled":
        return bool(case.meta.compiled)
    # A claim about CPUs and about CUDA is about all devices.
    meant = {device} if device in ("cpu", "cuda") else {"cpu", "cuda"}
    return meant <= {*case.meta.devices}


def expects(case: Case, record: Record) -> bool:
    """Whether the page's `holds` expects *confirmed* where `record` was made."""
    mark = record.fingerprint
    return expected_to_hold(case.meta, mark.torch, mark.device_type, mark.python)


def overall(case: Case, states: Mapping[str, State]) -> Overall:
    """One state for lists, from the state in each column; `differs` if columns disagree.

    What was only compiled for a GPU counts if nothing else decides the claim.
    """
    if case.retired:
        return "retired"
    present = {state for column, state in states.items() if device_of(column) != "compiled"}
    if "unexplained" in present:
        # No release is said to be unaffected, but neither are all of them affected.
        present.add("refuted")
    decided = [verdict for verdict in DECIDED if verdict in present]
    if decided:
        return decided[0] if len(decided) == 1 else "differs"
    if present.union(states.values()) & set(DECIDED):
        return "compiled"
    return next((state for state in _UNDECIDED if state in present), "undecided")


def open_devices(case: Case, states: Mapping[str, State]) -> list[str]:
    """The devices to which the claim applies and for which no column decides it."""
    if case.retired:
        return []
    decided = {device_of(column) for column, state in states.items() if state in DECIDED}
    return [device for device in case.meta.devices if device not in decided]
