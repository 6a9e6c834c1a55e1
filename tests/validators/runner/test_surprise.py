"""Whether a verdict agrees with what its page and the committed evidence say."""

from __future__ import annotations

import msgspec

from tests.validators.runner.conftest import environment, record
from validators.environment import Environment
from validators.evidence import Record
from validators.probes.report import Report
from validators.runner.surprise import agreement
from validators.runner.verdict import rule


def test_agreement_with_holds_and_with_committed_evidence(catalog):
    """Inside `holds` only confirmed agrees; outside nothing but an error is a surprise."""
    case = catalog.by_name["both"]
    inside, outside = environment(), environment(torch="2.15.0")
    assert agreement(case, record(inside, "confirmed"), {})[0] == "agrees"
    assert agreement(case, record(inside, "refuted"), {})[0] == "disagrees"
    assert agreement(case, record(inside, "skipped"), {})[0] == "agrees"
    assert agreement(case, record(outside, "refuted"), {})[0] == "agrees"
    assert agreement(case, record(outside, "error"), {})[0] == "broke"
    committed = {("both", outside.column): record(outside, "refuted")}
    said = agreement(case, record(outside, "confirmed"), committed)
    assert said == ("disagrees", "the committed evidence says refuted")


def unstable(env: Environment, *verdicts: str) -> Record:
    """The record of a case whose repeats gave these verdicts."""
    pairs = {"confirmed": (True, False), "refuted": (False, False), "remedy-failed": (True, True)}
    shown = [dict(zip(("symptom", "remedy"), pairs[verdict], strict=True)) for verdict in verdicts]
    nothing = dict.fromkeys(("symptom", "remedy"), Report().to_json())
    ruling = rule(shown, [nothing] * len(shown))
    return msgspec.structs.replace(record(env, ruling.verdict), reason=ruling.reason)


def test_an_unstable_verdict_disagrees_only_where_all_its_repeats_do(catalog):
    """It is listed as such wherever a repeat gave the verdict that is committed or expected."""
    case = catalog.by_name["both"]
    inside, outside = environment(), environment(torch="2.15.0")
    wavers = unstable(inside, "confirmed", "refuted", "confirmed")
    said = "3 repeats disagree: confirmed 2 times, refuted 1 times"
    assert agreement(case, wavers, {}) == ("unstable", said)
    committed = {("both", inside.column): record(inside, "confirmed")}
    assert agreement(case, wavers, committed) == ("unstable", said)
    never = unstable(inside, "remedy-failed", "refuted")
    assert agreement(case, never, committed)[0] == "disagrees"
    committed = {("both", outside.column): record(outside, "remedy-failed")}
    wavers = unstable(outside, "confirmed", "refuted")
    assert agreement(case, wavers, committed)[0] == "disagrees"
    assert agreement(case, wavers, {})[0] == "unstable"
