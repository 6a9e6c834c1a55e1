"""Compute verdicts from what the workers sent back; nothing else computes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from validators.probes.modes import AUDIT, UNCOMPILED
from validators.verdicts import DECIDED, Verdict

if TYPE_CHECKING:
    from validators.catalog.frontmatter import FrontMatter, Leaves
    from validators.evidence.witnessed import Witnessed

Report = Mapping[str, Any]
_EXCEPTION = ".exception"
"""How the name of a fact ends that is the type of an exception."""


@dataclass(frozen=True)
class Allowed:
    """What a remedy may leave, as `Leaves` of a page says it; nothing by default."""

    graph_breaks: int = 0
    recompiles: int = 0
    exception: bool = False


@dataclass(frozen=True)
class Ruling:
    """A verdict, why it was not decided ("" where it was), and what `shows` said of each arm."""

    verdict: Verdict
    reason: str
    shows: dict[str, bool]


def objection(arm: str, report: Report) -> str:
    """Why a report proves nothing, in one sentence; "" where nothing is wrong with it."""
    if not report["calls"] and not report["facts"]:
        return f"the {arm} made no call and read no fact; have it return what a probe saw"
    if report["eager"]:
        return ""
    # A call that raised may have ended before any graph ran.
    raised = report["exception"]["call"] if report["exception"] else -1
    for index, call in enumerate(report["calls"]):
        if call["executions"] == 0 and index != raised:
            return (
                f"call {index} of the {arm} ran no compiled graph; "
                "compile what it calls, or pass eager=True where that is meant"
            )
    return ""


def caught_facts(report: Report) -> Iterator[tuple[str, str]]:
    """The type and the message of each exception that a fact holds."""
    facts = report["facts"]
    for key in (it for it in facts if it.endswith(_EXCEPTION)):
        yield facts[key], facts.get(f"{key.removesuffix(_EXCEPTION)}.message", "")


def rule(
    shown: Sequence[dict[str, bool | None]],
    remedies: Sequence[Report],
    leaves: Leaves | Allowed | None = None,
) -> Ruling:
    """The verdict on what `shows` said of the arms in each repeat, and on the remedies' reports.

    It says None of an arm that it cannot tell.

    A remedy that leaves trouble behind has failed, whatever `shows` says of it; `leaves` is what
    its page allows.
    """
    if close := next((arm for pair in shown for arm, said in pair.items() if said is None), ""):
        reason = f"the {close}'s interval holds the limit; more samples may decide"
        return Ruling("undecided", reason, {})
    pairs = [{arm: bool(said) for arm, said in pair.items()} for pair in shown]
    rulings = [_one(pair, report, leaves) for pair, report in zip(pairs, remedies, strict=True)]
    verdicts = [ruling.verdict for ruling in rulings]
    if len(set(verdicts)) > 1:
        counts = ", ".join(f"{v} {verdicts.count(v)} times" for v in dict.fromkeys(verdicts))
        return Ruling("unstable", f"{len(verdicts)} repeats disagree: {counts}", pairs[0])
    return rulings[0]


def by_predicate(shown: Mapping[str, bool]) -> Verdict:
    """The verdict that follows from what `shows` said of the arms alone."""
    if not shown["symptom"]:
        return "refuted"
    return "remedy-failed" if shown["remedy"] else "confirmed"


def _one(pair: dict[str, bool], remedy: Report, leaves: Leaves | Allowed | None) -> Ruling:
    verdict = by_predicate(pair)
    trouble = left_behind(remedy, leaves or Allowed()) if verdict == "confirmed" else ""
    return Ruling("remedy-failed" if trouble else verdict, trouble, pair)


def left_behind(remedy: Report, leaves: Leaves | Allowed) -> str:
    """What trouble a remedy leaves that its page does not allow, in one sentence; "" if none."""
    if not remedy["calls"]:
        return ""
    if remedy["exception"] and not leaves.exception:
        return f"the remedy raised {remedy['exception']['type']} in a call"
    found = (
        ("graph break", len(remedy["graph_breaks"]), leaves.graph_breaks),
        ("recompile", len(remedy["recompiles"]), leaves.recompiles),
    )
    for what, count, allowed in found:
        if count > allowed:
            plural = "" if count == 1 else "s"
            return f"the remedy left {count} {what}{plural}; its page allows {allowed}"
    return ""


def cross_examine(ruling: Ruling, seen: Witnessed, meta: FrontMatter) -> Ruling:
    """`ruling`, or another one if a witness contradicts it."""
    if ruling.verdict not in DECIDED:
        return ruling
    said = by_predicate(ruling.shows)
    for backend, verdict in seen.witnesses.items():
        if backend not in (AUDIT, UNCOMPILED) and verdict != said and not meta.backend:
            message = (
                f"the verdict is {said}, but under {backend} it is {verdict}; prove it on "
                "the backend that users have, or name the backend in the claim and in `backend`"
            )
            return replace(ruling, verdict="error", reason=message)
    if ruling.verdict != "confirmed":
        return ruling
    if "remedy" in seen.differs and "remedy" not in meta.results:
        message = f"the remedy's results are not eager's ({seen.differs['remedy']})"
        return replace(ruling, verdict="remedy-failed", reason=message)
    if "symptom" in seen.differs and "symptom" not in meta.results:
        message = (
            f"the symptom's results are not eager's ({seen.differs['symptom']}); "
            "say why in `results`, and in the claim if users see it"
        )
        return replace(ruling, verdict="error", reason=message)
    # If both arms show it, the predicate only asks for compiled graphs, as it should.
    if seen.witnesses.get(UNCOMPILED) == "confirmed" and not meta.uncompiled:
        message = (
            "it is confirmed without compiling, too; make it a claim about compiling, "
            "or say in `uncompiled` why it is right"
        )
        return replace(ruling, verdict="error", reason=message)
    return ruling
