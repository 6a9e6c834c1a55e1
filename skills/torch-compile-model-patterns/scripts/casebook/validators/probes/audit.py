"""The third witness: the same arm again, every backend eager, every graph break an error.

A worker calls `set_audit(True)` in a process of its own, runs the arm, and hands `audits()` to the
process that holds the report. Nothing here needs torch.
"""

from __future__ import annotations

from typing import Any, TypedDict


class Audit(TypedDict):
    """What one observation saw under audit.

    `id` is the registry's id of the first graph break ("" if it has none). `exception` is the
    qualified type of an exception, other than a graph break, that ended the audit ("" if none
    did). `calls` counts the calls that returned.
    """

    broke: bool
    id: str
    exception: str
    calls: int


_auditing = False
_observations = 0
_audits: list[Audit] = []


def set_audit(on: bool) -> None:
    """Turn auditing on or off for every `observe` of this process; count from 0 again."""
    global _auditing, _observations
    _auditing, _observations = on, 0
    _audits.clear()


def next_observation() -> int:
    """The index of the observation that starts now; audits count the same way."""
    global _observations
    _observations += 1
    return _observations - 1


def auditing() -> bool:
    """Whether observations are audits now."""
    return _auditing


def record(item: Audit) -> None:
    """Keep what one observation saw."""
    _audits.append(item)


def audits() -> list[dict[str, Any]]:
    """What every observation of this process saw, in order, as JSON-compatible data."""
    return [dict(item) for item in _audits]


def audit_agrees(report: dict[str, Any], audit: list[dict[str, Any]]) -> str | None:
    """Return one sentence if the audit of an arm contradicts its report, else None.

    `report` is `Report.to_json()`, `audit` is `audits()` from another run of the same arm. The
    audit sees the first graph break only, so it confirms whether there is one, and which.

    Nothing can be contradicted, so the result is None, for:
    - a report that no `observe` made (facts), or that was made under an audit itself;
    - a report with an exception, or an audit that ended in one: that run stopped early;
    - a break raised by the backend itself, which the audit replaced by eager;
    - the recompile limit, if the report holds it too: the audit sees it as a graph break.
    """
    index = report.get("observation")
    if index is None or report["exception"] is not None:
        return None
    if index >= len(audit):
        return (
            f"The audit made {len(audit)} observations and the report is number {index}: "
            "let the arm make the same observations every time it runs."
        )
    item = audit[index]
    if item["exception"] or (item["id"] == _LIMIT and report["recompile_limit_hit"]):
        return None
    breaks = [
        found for found in report["graph_breaks"] if not found["type"].startswith(_NOT_IN_AN_AUDIT)
    ]
    if item["broke"] and not report["graph_breaks"]:
        return f"The audit met graph break {item['id'] or 'without id'}; the report holds none."
    if breaks and not item["broke"]:
        return f"The report holds graph break {_names(breaks[0])}; the audit met none."
    if breaks and item["id"] and item["id"] not in _ids(breaks[0]):
        return (
            f"The audit met graph break {item['id']} first; "
            f"the report's first is {_names(breaks[0])}."
        )
    return None


_LIMIT = "GB0039"
_NOT_IN_AN_AUDIT = (
    "Backend compiler exception",
    "Backend compiler failed",  # before torch 2.7
    "Dynamo recompile limit exceeded",
)


def _ids(graph_break: dict[str, Any]) -> list[str]:
    return [graph_break["cause_id"], graph_break["id"]]


def _names(graph_break: dict[str, Any]) -> str:
    return " after ".join(filter(None, reversed(_ids(graph_break)))) or "without id"
