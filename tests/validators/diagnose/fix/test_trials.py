"""What the settings that a fix names do to the target."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from validators.diagnose.findings.finding import Explanation, Finding
from validators.diagnose.fix.trials import tried
from validators.runner.processes.outcome import Outcome

FIX = "Set `torch._dynamo.config.allow_rnn = True`."
COUNTED = {
    "graphs": 1,
    "breaks": [{"count": 2}],
    "recompiles": [],
    "limits": [],
    "compiled_share": 0.5,
    "raised": None,
}
HELPED = {**COUNTED, "breaks": [], "compiled_share": 1.0}
EQUAL = {"differences": [{"eager": 0.0, "noise": 0.0}], "raised": None}
OTHER = {"differences": [{"eager": 1.0, "noise": 0.0}], "raised": None}
RAISED = {"differences": [], "raised": {"type": "RuntimeError"}}


def finding(fix, known="explained", kind="graph_break"):
    """A finding with a fix."""
    return Finding(kind, "what", "cost", Explanation(known, case="a_case", fix=fix))


def told(counted, compared, *findings, before=COUNTED):
    """The findings after their trials, and what was asked for these."""
    asked = []

    async def ask(_spec, part, more):
        asked.append((part, more["shaping"]["settings"], more.get("compile")))
        return Outcome({"breaks": counted, "results": compared}[part])

    asking = SimpleNamespace(ask=ask, options={"mode": "max-autotune", "dynamic": True})
    found = asyncio.run(tried(asking, "spec", {"whole": True}, before, [*findings]))
    return found, asked


@pytest.mark.parametrize(
    ("counted", "compared", "before", "after", "said"),
    [
        (HELPED, EQUAL, "suspected", "explained", "breaks: 0, were 2; compiled ops: 100.0%"),
        (COUNTED, EQUAL, "explained", "suspected", "nothing compiles better"),
        (HELPED, OTHER, "explained", "explained", "results differ from eager's"),
        (HELPED, RAISED, "suspected", "suspected", "a call raises RuntimeError"),
    ],
)
def test_a_trial_decides_what_is_explained(counted, compared, before, after, said):
    """A fix may need more than its setting: an exception decides nothing."""
    (found,), _ = told(counted, compared, finding(FIX, before))
    assert found.explanation.known == after
    (line,) = found.tried
    assert line.startswith(f"tried torch._dynamo.config.allow_rnn = True: {said}")


@pytest.mark.parametrize("known", ["explained", "suspected", "unknown"])
def test_what_a_hint_of_torch_does_is_told_and_proves_no_case(known):
    """The case's own fix is something else."""
    hinted = replace(finding("Keep the tensor.", known), text=f"Hint: {FIX}")
    for counted in (HELPED, COUNTED):
        (found,), _ = told(counted, EQUAL, hinted)
        assert found.explanation == hinted.explanation
        assert found.tried[0].startswith("tried torch._dynamo.config.allow_rnn = True: ")


def test_a_setting_without_which_calls_raise_too_is_not_blamed():
    """It did nothing."""
    broken = {**COUNTED, "raised": {"type": "RuntimeError", "message": "no"}}
    (found,), _ = told(broken, RAISED, finding(FIX), before=broken)
    assert found.tried == []


def test_one_setting_is_tried_once_with_the_calls_as_they_are():
    """By a backend that takes little time, without what only Inductor knows."""
    found, asked = told(HELPED, EQUAL, finding(FIX), finding(FIX))
    setting = ("torch._dynamo.config", "allow_rnn", True)
    compiled = {"dynamic": True, "backend": "aot_eager"}
    assert asked == [("breaks", [setting], None), ("results", [setting], compiled)]
    assert [len(it.tried) for it in found] == [1, 1]


@pytest.mark.parametrize(
    "left",
    [
        finding("Call `mark_dynamic` first."),
        finding("Set `torch._dynamo.config.cache_size_limit = 64`."),
        finding("Set `torch._dynamo.config.suppress_errors = True`."),
        finding(FIX, kind="static"),
    ],
)
def test_what_hides_trouble_or_is_no_setting_is_not_tried(left):
    """Nothing is asked, and the finding stays as it is."""
    assert told(HELPED, EQUAL, left) == ([left], [])
