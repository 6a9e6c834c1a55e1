"""From reports, predicates and witnesses to a verdict: what needs no worker."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from tests.conftest import HEADER
from validators.catalog.frontmatter import FrontMatter, Leaves
from validators.evidence.stored.witnessed import Witnessed
from validators.probes.report import Call, Caught, GraphBreak, Recompile, Report
from validators.runner.verdict import cross_examine, objection, rule

GOOD = {"symptom": True, "remedy": False}
BREAK = GraphBreak("GB0170", "", "Data-dependent branching", "a branch", "one.py", 7, False)
RAN = Report(calls=(Call(compiled=1, executions=1), Call(compiled=0, executions=1)))
CLEAN = RAN.to_json()


def both(remedy, symptom=CLEAN):
    """The reports of both arms."""
    return {"symptom": symptom, "remedy": remedy}


def page(**fields: object) -> FrontMatter:
    """A page's front matter with some fields of its own."""
    return msgspec.convert({**HEADER, **fields}, FrontMatter)


@pytest.mark.parametrize(
    ("symptom", "remedy", "verdict"),
    [
        (True, False, "confirmed"),
        (True, True, "remedy-failed"),
        (False, False, "refuted"),
        (False, True, "refuted"),
    ],
)
def test_a_verdict_follows_from_what_shows_said(symptom, remedy, verdict):
    """Only a symptom that shows and a remedy that does not confirm a claim."""
    assert rule([{"symptom": symptom, "remedy": remedy}], [both(CLEAN)]).verdict == verdict


@pytest.mark.parametrize("arm", GOOD)
def test_what_shows_cannot_tell_is_undecided(arm):
    """One repeat that is too close to call leaves the case open, whatever the others say."""
    ruling = rule([GOOD, {**GOOD, arm: None}], [both(CLEAN)] * 2)
    assert ruling.verdict == "undecided"
    assert arm in ruling.reason


def test_repeats_must_agree():
    """One repeat that differs makes a case unstable, and the reason counts the verdicts."""
    bad = {"symptom": False, "remedy": False}
    ruling = rule([GOOD, bad, GOOD], [both(CLEAN)] * 3)
    assert ruling.verdict == "unstable"
    assert ruling.reason == "3 repeats disagree: confirmed 2 times, refuted 1 times"


MUTANTS = {
    "foreign break": dataclasses.replace(RAN, graph_breaks=(BREAK,) * 5),
    "recompile in every call": dataclasses.replace(
        RAN, recompiles=(Recompile("0/1", "f", ("x",)), Recompile("0/2", "f", ("x",)))
    ),
    "exception": dataclasses.replace(RAN, exception=Caught("ValueError", "no", 1)),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_remedy_that_leaves_trouble_has_failed(mutant):
    """A predicate need not look at breaks, recompiles or exceptions: the ruling does."""
    ruling = rule([GOOD], [both(MUTANTS[mutant].to_json())])
    assert ruling.verdict == "remedy-failed"
    assert ruling.reason


def test_a_page_says_what_its_remedy_leaves():
    """So many as the page allows are no trouble; one more is, and the sentence has both numbers."""
    two = MUTANTS["recompile in every call"].to_json()
    assert rule([GOOD], [both(two)], Leaves(recompiles=2)).verdict == "confirmed"
    assert (
        "left 2 recompiles; its page allows 1"
        in rule([GOOD], [both(two)], Leaves(recompiles=1)).reason
    )
    raised = MUTANTS["exception"].to_json()
    assert rule([GOOD], [both(raised)], Leaves(exception=True)).verdict == "confirmed"


TROUBLE = {
    "a break": (MUTANTS["foreign break"], "left 5 graph breaks"),
    "an exception": (MUTANTS["exception"], "raised ValueError in a call"),
    "an exception among facts": (
        Report(facts={"call.exception": "TypeError", "call.message": "no"}),
        "raised TypeError",
    ),
    "a compilation of which the release says nothing": (
        dataclasses.replace(RAN, calls=(Call(compiled=1, executions=1),) * 3),
        "compiled 2 graphs after its first call",
    ),
}


@pytest.mark.parametrize("trouble", TROUBLE)
def test_a_refuted_symptom_says_what_trouble_it_met(trouble):
    """Other words for the same effect do not prove it absent."""
    symptom, said = TROUBLE[trouble]
    bad = {"symptom": False, "remedy": False}
    ruling = rule([bad], [both(CLEAN, symptom.to_json())])
    assert (ruling.verdict, ruling.reason) == (
        "refuted",
        f"the symptom {said}, though not as claimed",
    )
    assert rule([bad], [both(CLEAN)]).reason == ""


def test_trouble_that_a_remedy_may_leave_says_nothing_of_a_symptom():
    """It is not what the claim is about."""
    breaks = MUTANTS["foreign break"].to_json()
    bad = {"symptom": False, "remedy": False}
    assert rule([bad], [both(breaks, breaks)], Leaves(graph_breaks=5)).reason == ""


def test_facts_leave_nothing_behind():
    """Where no call was observed there is nothing to look at."""
    assert rule([GOOD], [both(Report(facts={"a": 1}).to_json())]).verdict == "confirmed"


def test_a_report_without_calls_and_facts_proves_nothing():
    """An empty report is objected to."""
    assert "made no call and read no fact" in objection("symptom", Report().to_json())


def test_an_eager_call_is_objected_to_unless_it_is_meant_or_raised():
    """Silence is the commonest vacuous proof: a call that ran no compiled graph."""
    report = Report(calls=(Call(compiled=0, executions=0),))
    assert "call 0 of the remedy ran no compiled graph" in objection("remedy", report.to_json())
    meant = dataclasses.replace(report, eager=True)
    assert objection("remedy", meant.to_json()) == ""
    raised = dataclasses.replace(report, exception=Caught("ValueError", "no", 0))
    assert objection("remedy", raised.to_json()) == ""


def examined(seen: Witnessed, **fields: object) -> tuple[str, str]:
    """Verdict and reason of a confirmed case after witnesses were heard."""
    ruling = cross_examine(rule([GOOD], [both(CLEAN)]), seen, page(**fields))
    return ruling.verdict, ruling.reason


def test_another_backend_must_agree_unless_the_page_names_one():
    """A claim without a backend is one about the backend that users have."""
    seen = Witnessed({"aot_eager": "refuted"})
    verdict, reason = examined(seen)
    assert verdict == "error"
    assert "under aot_eager it is refuted" in reason
    assert examined(seen, backend="eager")[0] == "confirmed"
    assert examined(Witnessed({"aot_eager": "confirmed", "audit": "agrees"}))[0] == "confirmed"


def test_a_remedy_must_compute_what_eager_computes():
    """Wrong results make it fail; the page may say that they differ on purpose."""
    seen = Witnessed(differs={"remedy": "call 1: values differ by 3"})
    assert examined(seen)[0] == "remedy-failed"
    assert "call 1: values differ by 3" in examined(seen)[1]
    assert examined(seen, results={"remedy": "dropout draws other numbers"})[0] == "confirmed"


def test_wrong_results_of_the_symptom_must_be_told():
    """Who reads the page has to know that the symptom also computes something else."""
    seen = Witnessed(differs={"symptom": "call 0: 2 values, eager has 1"})
    assert examined(seen)[0] == "error"
    assert examined(seen, results={"symptom": "that is the claim"})[0] == "confirmed"


def test_a_claim_about_compiling_is_not_confirmed_without_it():
    """What `force_eager` confirms, too, does not come from compiling."""
    seen = Witnessed({"uncompiled": "confirmed"})
    assert "confirmed without compiling" in examined(seen)[1]
    assert examined(seen, uncompiled="the claim is about a value of the configuration") == (
        "confirmed",
        "",
    )


@pytest.mark.parametrize("verdict", ["refuted", "remedy-failed", "error"])
def test_a_predicate_may_want_to_see_graphs(verdict):
    """Where the remedy shows the symptom uncompiled, too, the predicate asks for compiled code."""
    assert examined(Witnessed({"uncompiled": verdict}))[0] == "confirmed"


def test_witnesses_decide_nothing_that_is_undecided():
    """An unstable case stays unstable whatever others saw."""
    bad = {"symptom": False, "remedy": False}
    unstable = rule([GOOD, bad], [both(CLEAN)] * 2)
    assert cross_examine(unstable, Witnessed({"aot_eager": "refuted"}), page()) is unstable
