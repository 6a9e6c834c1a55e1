"""One record: what one case did in one environment."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from validators.environment import Fingerprint
from validators.environment.fingerprint import ColumnName

CaseName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$(?!\n)")]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)")]
Verdict = Literal["confirmed", "refuted", "remedy-failed", "unstable", "skipped", "error"]
DECIDED: tuple[Verdict, ...] = ("confirmed", "refuted", "remedy-failed")


class Record(Struct, frozen=True, kw_only=True):
    """One line of an evidence file.

    `reason` says in one sentence why a case is skipped, unstable or in error. `symptom` and
    `remedy` are the arms' reports (`validators.probes.report.Report` as JSON) of the first
    repeat, `shows` what the predicate said of each. `modules` maps each module of ours that the
    arms loaded to the SHA-256 of its file, and `digest` covers them, the claim and its needs.
    `date` is the UTC day, `seconds` the arms' wall time.
    """

    case: CaseName
    column: ColumnName
    verdict: Verdict
    reason: str = ""
    digest: str
    modules: dict[str, str]
    fingerprint: Fingerprint
    isolation: Literal["fork", "fresh"]
    repeats: int
    shows: dict[str, bool] = {}
    witnesses: dict[str, str] = {}
    differs: dict[str, str] = {}
    symptom: dict[str, Any] | None = None
    remedy: dict[str, Any] | None = None
    date: Day
    seconds: float

    def figure(self, path: str) -> Any:
        """The value at a dotted `path` such as `symptom.ops`; of a list, its length.

        Raises:
            KeyError: there is nothing at `path`.
        """
        value: Any = msgspec.to_builtins(self)
        parts = path.split(".")
        while parts:
            # A fact's own name may hold dots, so the longest key that fits comes first.
            for size in range(len(parts), 0, -1):
                key = ".".join(parts[:size])
                if isinstance(value, dict) and key in value:
                    value, parts = value[key], parts[size:]
                    break
            else:
                raise KeyError(path)
        return len(value) if isinstance(value, list) else value


def same_but_noise(one: Record, other: Record) -> bool:
    """Whether two records differ in nothing but dates, times and memory."""
    return _quiet(one) == _quiet(other)


def _quiet(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(record)
    for name in ("date", "seconds"):
        del data[name]
    for name in ("symptom", "remedy"):
        report = data[name]
        data[name] = report and {k: v for k, v in report.items() if k not in ("times", "memory")}
    return data
