"""From what the workers sent back to a verdict. Computed here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validators.evidence import Verdict
from validators.probes.audit import audit_agrees

Report = dict[str, Any]
ARMS = ("symptom", "remedy")


@dataclass(frozen=True)
class Ruling:
    """A verdict, why it was not decided ("" where it was), and what `shows` said of each arm."""

    verdict: Verdict
    reason: str
    shows: dict[str, bool]


def objection(arm: str, report: Report, audits: list[Any]) -> str:
    """Why a report proves nothing, in one sentence; "" where nothing is wrong with it."""
    if not report["calls"] and not report["facts"]:
        return f"the {arm} made no call and read no fact; have it return what a probe saw"
    if not report["eager"]:
        # A call that raised may have ended before any graph ran.
        raised = report["exception"]["call"] if report["exception"] else -1
        for index, call in enumerate(report["calls"]):
            if call["executions"] == 0 and index != raised:
                return (
                    f"call {index} of the {arm} ran no compiled graph; "
                    "compile what it calls, or pass eager=True where that is meant"
                )
    disagreement = audit_agrees(report, audits)
    return f"the witnesses of the {arm} disagree: {disagreement}" if disagreement else ""


def rule(shown: list[dict[str, bool]]) -> Ruling:
    """The verdict on what `shows` said of the arms in each repeat."""
    verdicts = [_one(pair) for pair in shown]
    if len(set(verdicts)) > 1:
        counts = ", ".join(f"{v} {verdicts.count(v)} times" for v in dict.fromkeys(verdicts))
        return Ruling("unstable", f"{len(verdicts)} repeats disagree: {counts}", shown[0])
    return Ruling(verdicts[0], "", shown[0])


def _one(pair: dict[str, bool]) -> Verdict:
    if not pair["symptom"]:
        return "refuted"
    return "remedy-failed" if pair["remedy"] else "confirmed"
