"""One record: what one case did in one environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from validators.environment import Fingerprint
from validators.environment.column_pattern import ColumnName
from validators.errors import CasebookError
from validators.verdicts import ARMS, Arm, Verdict

if TYPE_CHECKING:
    from validators.probes.report import Report

CASE_PATTERN = r"^[a-z][a-z0-9_]*$(?!\n)"
CaseName = Annotated[str, Meta(pattern=CASE_PATTERN)]
Isolation = Literal["fork", "fresh"]
ReportData = dict[str, Any]
NOISE = ("times", "memory")
"""The parts of a report that differ from run to run."""


class Reports:
    """The reports of a record's two arms, as JSON."""

    __slots__ = ("_given",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, symptom: ReportData | None = None, remedy: ReportData | None = None) -> None:
        self._given: dict[Arm, ReportData | None] = {"symptom": symptom, "remedy": remedy}

    def of(self, arm: Arm) -> ReportData | None:
        """The report of `arm`; None if it gave none."""
        return self._given[arm]

    def __eq__(self, other: object) -> bool:
        """Whether both arms' reports are equal."""
        return isinstance(other, Reports) and all(self.of(arm) == other.of(arm) for arm in ARMS)


LACKS = " lacks"
"""How the reason ends where a case needs what the release of torch does not have."""


class Record(Struct, frozen=True, kw_only=True):
    """What evidence holds of one case and column.

    `reason` says in one sentence why a case is skipped, unstable or in error, or what trouble a
    refuted symptom met. `shows` holds what the predicate said of each arm. `modules` are the places
    of our modules that the arms loaded; `digest` covers what they do, and what the case needs;
    `judge` covers what judged the reports. `cpu_seconds` is what both arms cost, 0 if nobody
    measured it. `witnesses` holds the verdicts of other witnesses of the same program
    ("uncompiled", "aot_eager", ...). `differs` says how an arm's results differ from those of its
    uncompiled run. `carried` says that the probes have changed since, and no report on a CPU has.
    """

    case: CaseName
    column: ColumnName
    verdict: Verdict
    reason: str = ""
    digest: str
    judge: str = ""
    modules: tuple[str, ...]
    fingerprint: Fingerprint
    isolation: Isolation
    repeats: int
    shows: dict[str, bool] = {}
    cpu_seconds: int = 0
    witnesses: dict[str, str] = {}
    differs: dict[str, str] = {}
    carried: bool = False
    reports: Reports = msgspec.field(default_factory=Reports)

    @property
    def lacks(self) -> bool:
        """Whether the release of torch lacks what the proof needs."""
        return self.verdict == "skipped" and self.reason.endswith(LACKS)

    @property
    def symptom(self) -> ReportData | None:
        """The symptom's report of the first repeat, as JSON."""
        return self.reports.of("symptom")

    @property
    def remedy(self) -> ReportData | None:
        """The remedy's report of the first repeat, as JSON."""
        return self.reports.of("remedy")

    def report(self, arm: Arm) -> Report | None:
        """The report of `arm`; None if it gave none.

        Raises:
            CasebookError: the report has a shape that no probe writes.
        """
        try:
            return typed(self.reports.of(arm))
        except ValueError as error:
            raise CasebookError(
                f"the evidence of {self.case} in {self.column}: its {arm} is not a probe's report "
                f"({error}); delete the case's two files there and run it again"
            ) from None

    def figure(self, path: str) -> Any:
        """The value at a dotted `path` such as `symptom.ops`; of a list, its length.

        Raises:
            KeyError: the record has no value at `path`.
        """
        first, _, rest = path.partition(".")
        if first not in (*FIELDS, "symptom", "remedy"):
            raise KeyError(path)
        value = msgspec.to_builtins(getattr(self, first))
        parts = rest.split(".") if rest else []
        while parts:
            # A fact's own name may hold dots, so the longest key that fits comes first.
            for size in range(len(parts), 0, -1):
                key = ".".join(parts[:size])
                if isinstance(value, dict) and key in value:
                    value, parts = value[key], parts[size:]
                    break
            else:
                raise KeyError(path)
        return len(value) if isinstance(value, list | tuple) else value


FIELDS = tuple(name for name in Record.__struct_fields__ if name != "reports")
"""What a record holds beside its reports."""


def typed(report: ReportData | None) -> Report | None:
    """A report from its JSON.

    Raises:
        ValueError: the report has a shape that no probe writes.
    """
    # Imported here, since it is slow and listing records does not need it.
    from validators.probes.report import Report

    try:
        return msgspec.convert(report, Report | None, strict=False)
    except OverflowError as error:
        raise ValueError(error) from None


def same_but_noise(one: Record, other: Record) -> bool:
    """Whether two records differ at most in times, memory and what they cost."""
    told = (name for name in FIELDS if name != "cpu_seconds")
    return all(getattr(one, name) == getattr(other, name) for name in told) and all(
        _seen(one, arm) == _seen(other, arm) for arm in ARMS
    )


def _seen(record: Record, arm: Arm) -> ReportData | None:
    report = record.reports.of(arm)
    return report if report is None else quiet(report)


def quiet(report: ReportData) -> ReportData:
    """A report without its noise."""
    return {name: value for name, value in report.items() if name not in NOISE}
