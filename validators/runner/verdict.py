"""Compute verdicts from what the workers sent back; nothing else computes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from validators.evidence.quantities import count
from validators.evidence.stored.witnessed import TRAINING
from validators.probes.modes import AUDIT, UNCOMPILED
from validators.verdicts import DECIDED, Verdict

if TYPE_CHECKING:
    from validators.catalog.frontmatter import FrontMatter, Leaves
    from validators.evidence.stored.witnessed import Witnessed

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
    """A verdict, what speaks against it or why there is none, and what `shows` said of each arm.

    The reason of *refuted* is what trouble the symptom ran into, which is not the claimed one.
    """

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
    reports: Sequence[Mapping[str, Report]],
    leaves: Leaves | Allowed | None = None,
) -> Ruling:
    """The verdict on what `shows` said of the arms in each repeat, and on their reports.

    It says None of an arm that it cannot tell.

    A remedy that leaves trouble behind has failed, whatever `shows` says of it; `leaves` is what
    its page allows. A refuted symptom that met trouble says so: the claim may hold all the same.
    """
    if close := next((arm for pair in shown for arm, said in pair.items() if said is None), ""):
        reason = f"the {close}'s interval holds the limit; more samples may decide"
        return Ruling("undecided", reason, {})
    pairs = [{arm: bool(said) for arm, said in pair.items()} for pair in shown]
    allowed = leaves or Allowed()
    rulings = [_one(pair, both, allowed) for pair, both in zip(pairs, reports, strict=True)]
    verdicts = [ruling.verdict for ruling in rulings]
    if len(set(verdicts)) > 1:
        counts = ", ".join(f"{v} {verdicts.count(v)} times" for v in dict.fromkeys(verdicts))
        return Ruling("unstable", f"{len(verdicts)} repeats disagree: {counts}", pairs[0])
    return rulings[0]


def by_predicate(shown: Mapping[str, bool]) -> Verdict:
    """The verdict that follows from what `shows` said of the arms alone, or of a lone symptom."""
    if not shown["symptom"]:
        return "refuted"
    return "remedy-failed" if shown.get("remedy", True) else "confirmed"


def _one(pair: dict[str, bool], reports: Mapping[str, Report], allowed: Leaves | Allowed) -> Ruling:
    verdict, remedy = by_predicate(pair), reports["remedy"]
    if verdict == "confirmed":
        trouble, limit = _left_behind(remedy, allowed)
        if trouble:
            return Ruling("remedy-failed", f"the remedy {trouble}{limit}", pair)
    if verdict == "refuted" and (trouble := _met(reports["symptom"], remedy, allowed)):
        return Ruling(verdict, f"the symptom {trouble}, though not as claimed", pair)
    return Ruling(verdict, "", pair)


def _left_behind(report: Report, allowed: Leaves | Allowed) -> tuple[str, str]:
    """What trouble of an arm its page does not allow a remedy, and the limit; "" if none."""
    if not report["calls"]:
        return "", ""
    if report["exception"] and not allowed.exception:
        return f"raised {report['exception']['type']} in a call", ""
    seen = (
        ("graph break", len(report["graph_breaks"]), allowed.graph_breaks),
        ("recompile", len(report["recompiles"]), allowed.recompiles),
    )
    for noun, number, most in seen:
        if number > most:
            return f"left {count(number, noun)}", f"; its page allows {most}"
    return "", ""


def _met(symptom: Report, remedy: Report, allowed: Leaves | Allowed) -> str:
    """What trouble a symptom met that a remedy may not leave, as a predicate; "" if none."""
    if raised := next((kind for kind, _ in caught_facts(symptom)), ""):
        return f"raised {raised}"
    # Old releases do not say that they compile again.
    later, others = (sum(it["compiled"] for it in arm["calls"][1:]) for arm in (symptom, remedy))
    if later > others and not symptom["recompiles"]:
        return f"compiled {count(later, 'graph')} after its first call"
    return _left_behind(symptom, allowed)[0]


def cross_examine(ruling: Ruling, seen: Witnessed, meta: FrontMatter) -> Ruling:
    """`ruling`, or another one if a witness contradicts it."""
    if ruling.verdict not in DECIDED:
        return ruling
    said = by_predicate(ruling.shows)
    for backend, verdict in seen.witnesses.items():
        if backend not in (AUDIT, UNCOMPILED, TRAINING) and verdict != said and not meta.backend:
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
