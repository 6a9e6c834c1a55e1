"""Whether a verdict agrees with the catalog."""

from __future__ import annotations

from typing import Literal

from validators.catalog import Case
from validators.evidence import Evidence, Record
from validators.evidence.record import DECIDED
from validators.evidence.status import expects

Agreement = Literal["agrees", "disagrees", "broke"]


def agreement(case: Case, record: Record, committed: Evidence) -> tuple[Agreement, str]:
    """How a new record stands to the case's `holds` and to the committed record of its column.

    Outside `holds` nothing but an error, or a difference from what is committed, is a surprise.
    The second value says what differs.
    """
    if record.verdict == "error":
        return "broke", record.reason
    undecided = record.verdict == "skipped"
    if not undecided and record.verdict != "confirmed" and expects(case, record):
        return "disagrees", record.reason or "`holds` expects it to be confirmed here"
    before = committed.get((case.name, record.column))
    if before and not undecided and before.verdict in DECIDED and before.verdict != record.verdict:
        return "disagrees", f"the committed evidence says {before.verdict}"
    return "agrees", ""


def cpu_verdicts(evidence: Evidence) -> dict[str, dict[str, str]]:
    """What the CPU columns have decided: by case, then by column."""
    verdicts: dict[str, dict[str, str]] = {}
    for (case, column), record in evidence.items():
        if record.fingerprint.device == "cpu" and record.verdict in DECIDED:
            verdicts.setdefault(case, {})[column] = record.verdict
    return verdicts
