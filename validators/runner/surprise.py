"""Whether a verdict agrees with the catalog."""

from __future__ import annotations

import re
from typing import Literal

from validators.catalog import Case
from validators.evidence import Evidence, Record
from validators.evidence.status import expects
from validators.verdicts import DECIDED

Agreement = Literal["agrees", "disagrees", "unstable", "broke"]
_REPEATS = re.compile(rf"\b({'|'.join(DECIDED)}) \d+ times")


def agreement(case: Case, record: Record, committed: Evidence) -> tuple[Agreement, str]:
    """Compare a new record with the case's `holds` and with the committed record of its column.

    Outside `holds`, only an error or a difference from the committed record is a surprise. An
    unstable record disagrees if the verdicts of all its repeats do; otherwise it is "unstable",
    which contradicts nothing. The second value says what differs.
    """
    if record.verdict == "error":
        return "broke", record.reason
    if record.verdict in ("skipped", "undecided"):
        return "agrees", ""
    verdicts = _REPEATS.findall(record.reason) if record.verdict == "unstable" else [record.verdict]
    differences = [_difference(case, record, verdict, committed) for verdict in verdicts]
    if differences and all(differences):
        return "disagrees", record.reason or differences[0]
    return ("unstable", record.reason) if record.verdict == "unstable" else ("agrees", "")


def _difference(case: Case, record: Record, verdict: str, committed: Evidence) -> str:
    """What `verdict` in the environment of `record` contradicts; "" where nothing."""
    if verdict != "confirmed" and expects(case, record):
        return "`holds` expects it to be confirmed here"
    before = committed.get((case.name, record.column))
    if before and before.verdict in DECIDED and before.verdict != verdict:
        return f"the committed evidence says {before.verdict}"
    return ""


def cpu_verdicts(evidence: Evidence) -> dict[str, dict[str, str]]:
    """What the CPU columns have decided: by case, then by column."""
    verdicts: dict[str, dict[str, str]] = {}
    for (case, column), record in evidence.items():
        if record.fingerprint.device == "cpu" and record.verdict in DECIDED:
            verdicts.setdefault(case, {})[column] = record.verdict
    return verdicts
