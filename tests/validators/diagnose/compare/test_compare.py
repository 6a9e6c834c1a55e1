"""Two reports side by side: what changed, what got worse, and what nobody can say."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.schemas import valid
from tests.validators.diagnose.measured import breaks, gain, report, seconds
from validators.cli.model.compare import compare_command
from validators.cli.output import json_text
from validators.diagnose.compare.benchmark import Benchmark
from validators.diagnose.compare.lines import comparison_lines
from validators.diagnose.compare.reports import compare_benchmarks, compare_diagnoses
from validators.diagnose.findings.comparison import CHECKS
from validators.diagnose.findings.finding import Explanation, Finding, Place

RAISED = {"type": "ValueError", "message": "no", "call": 1, "break_id": ""}


def found(what: str, line: int = 3, code: str = "if x:", kind: str = "graph_break") -> Finding:
    """A finding of `what` at a line of model.py."""
    return Finding(kind, what, "once", Explanation("unknown"), place=Place("model.py", line, code))


def verdicts(before, after) -> dict[str, str]:
    """The verdict on each number."""
    return {it.name: it.verdict for it in compare_diagnoses(before, after, 0.05).numbers}


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("graph-breaks", {"count": 1}, {"count": 2}),
        ("recompiles", {"again": 1}, {"again": 2}),
        ("limits", {}, {"limits": [{"text": "limit"}]}),
        ("eager-calls", {"eager_calls": [0, 2]}, {"eager_calls": [0, 1, 2]}),
        ("compiled-ops", {"compiled_share": 1.0}, {"compiled_share": 0.9}),
    ],
)
def test_each_count_gets_worse_or_better(name, better, worse):
    """And only that count."""
    first, second = report(breaks=breaks(**better)), report(breaks=breaks(**worse))
    assert compare_diagnoses(first, second, 0.05).worse == [name]
    assert verdicts(second, first)[name] == "better"
    assert verdicts(second, second)[name] == "same"


def test_a_call_that_runs_eagerly_in_both_rounds_is_one():
    """Each round makes the same two calls."""
    once, twice = report(breaks=breaks(eager_calls=[0])), report(breaks=breaks(eager_calls=[0, 2]))
    assert verdicts(once, twice)["eager-calls"] == "same"


def test_an_exception_makes_every_count_worse():
    """A model that stops at its first call breaks no graph."""
    healthy = report(breaks=breaks(2, 2))
    crashed = report(breaks=breaks(raised=RAISED, compiled_share=None))
    worse = compare_diagnoses(healthy, crashed, 0.05).worse
    assert worse == ["crash", "graph-breaks", "recompiles", "limits", "eager-calls"]
    fixed = verdicts(crashed, healthy)
    assert (fixed["crash"], fixed["graph-breaks"]) == ("better", "undecided")


def test_a_part_that_fails_now_is_worse_and_one_that_did_not_run_is_missing():
    """Nobody measured is not the same as equal."""
    whole = report(breaks=breaks(), results={"raised": None})
    hung = report(breaks=breaks(), failed="results")
    assert verdicts(whole, hung)["wrong-results"] == "worse"
    assert verdicts(whole, report(breaks=breaks()))["wrong-results"] == "missing"
    assert verdicts(report(), report())["graph-breaks"] == "missing"


def test_a_part_that_withholds_its_result_has_none(compare):
    """It says why; a comparison must not fail for it, and a guard of it is refused."""
    withheld = report(breaks=breaks(), gain={"withheld": "eager mode cannot repeat the call"})
    assert verdicts(report(gain=gain(1.2)), withheld)["slower"] == "missing"
    passed = compare(withheld, withheld)
    assert passed.return_value == 0
    assert "Nothing got worse of what both measured." in passed.stdout
    assert "has no result" in str(compare(withheld, withheld, "--fail-on", "slower").exception)


def test_wrong_results_are_counted():
    """From the findings, which know what is rounding."""
    wrong = found("call 0 differs from eager by 0.5", kind="wrong_results")
    results = {"raised": None, "differences": []}
    first, second = report(results=results), report([wrong], results=results)
    assert verdicts(first, second)["wrong-results"] == "worse"


def test_findings_are_known_again_without_line_numbers_and_numbers():
    """A line that moves, and a count that changes, are no new finding."""
    first = [
        found("3 of 4", code=""),
        found("break: 3 of 4"),
        found("break: call", code="f(x)"),
        found("break: gone"),
    ]
    second = [found("2 of 4", 9, ""), found("break: 5 of 9", 30), found("break: call", code="g(x)")]
    told = compare_diagnoses(report(first, breaks=breaks()), report(second, breaks=breaks()), 0.05)
    assert [it.place for it in told.still] == ["model.py:9", "model.py:30"]
    assert [it.what for it in told.gone] == ["break: call", "break: gone"]
    assert [it.what for it in told.new] == ["break: call"]
    assert told.worse == ["new-findings"]


def test_a_function_that_still_compiles_again_is_not_new():
    """Whatever became of its code, its line and what compiles with it; its cause counts."""

    def again(what: str, code: str, case: str) -> Finding:
        known = Explanation("explained", case=case)
        return Finding("recompile", what, "once", known, place=Place("m.py", 8, code))

    was = again("forward and 1 other compile again for another size", "def forward(self, x):", "a")
    now = again("forward compiles again for another size", "def forward(self, x): return x", "a")
    told = compare_diagnoses(report([was], breaks=breaks()), report([now], breaks=breaks()), 0.05)
    assert ([it.what for it in told.still], told.new, told.worse) == ([now.what], [], [])
    other = again("forward compiles again", "def forward(self, y):", "b")
    told = compare_diagnoses(report([was], breaks=breaks()), report([other], breaks=breaks()), 0.05)
    assert told.worse == ["new-findings"]


def test_a_suspicion_is_not_worse():
    """Nobody knows whether it costs anything."""
    doubt = found("the source suggests trouble", kind="static")
    told = compare_diagnoses(report(static={"a": 1}), report([doubt], static={"a": 1}), 0.05)
    assert ([it.kind for it in told.new], told.worse) == (["static"], [])


def test_training_steps_are_no_calls():
    """Each side says what it made."""
    before = report(breaks=breaks())
    before.trains = True
    told = compare_diagnoses(before, report(breaks=breaks()), 0.05)
    assert told.before.endswith(", 2 training steps")
    assert told.after.endswith(", 2 calls")


def test_a_release_that_words_a_reason_differently_shows_the_same_finding():
    """The code tells; without code, the reason has to."""
    first = report([found("generic_jump"), found("eager", code="")], breaks=breaks())
    second = report([found("Data-dependent branching"), found("lazy", code="")], breaks=breaks())
    told = compare_diagnoses(first, second, 0.05)
    assert [it.what for it in told.still] == ["Data-dependent branching"]
    assert [it.what for it in told.new] == ["lazy"]


def test_findings_of_parts_that_did_not_run_before_are_not_new():
    """A quick baseline says nothing of results."""
    wrong = found("differs", kind="wrong_results")
    told = compare_diagnoses(
        report(breaks=breaks()), report([wrong], breaks=breaks(), results={"raised": None}), 0.05
    )
    assert (told.new, told.worse) == ([], [])


def test_other_causes_are_told():
    """Another torch can explain what changed."""
    other = report(breaks=breaks(), target="fixed.py:example")
    other.torch = "2.15.0"
    told = compare_diagnoses(report(breaks=breaks()), other, 0.05)
    differ = [
        "target: model.py:example before, fixed.py:example after",
        "torch: 2.13.0 before, 2.15.0 after",
    ]
    assert told.differ == differ
    other.calls = 5
    told = compare_diagnoses(report(breaks=breaks()), other, 0.05)
    assert told.differ == [*differ, "number of calls: 2 before, 5 after"]


@pytest.mark.parametrize(
    ("speedup", "advice"), [(1.3, "compile"), (1.01, "eager"), (0.8, "eager"), (1.05, "undecided")]
)
def test_less_than_the_threshold_advises_eager_mode(speedup, advice):
    """And nothing is advised where the interval holds it."""
    told = compare_diagnoses(report(gain=gain(1.0)), report(gain=gain(speedup)), 0.05)
    assert told.preference.advice == advice


def test_calls_that_get_slower_advise_eager_mode():
    """However fast the first ones are."""
    drifting = report(gain=gain(2.0, drift=0.4))
    told = compare_diagnoses(report(gain=gain(2.0)), drifting, 0.05)
    assert told.preference.advice == "eager"
    assert told.worse == ["slower", "drift"]
    assert verdicts(drifting, drifting)["drift"] == "same"


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [(1.3, 1.2, "worse"), (1.2, 1.3, "better"), (1.3, 1.29, "same"), (1.3, 1.238, "undecided")],
)
def test_speed_ups_are_compared_by_their_intervals(before, after, verdict):
    """A smaller one is worse only if it is by more than the threshold."""
    told = verdicts(report(gain=gain(before)), report(gain=gain(after)))
    assert told["slower"] == verdict


def test_few_calls_decide_nothing():
    """Neither what is slower nor what to prefer."""
    few = report(gain=gain(0.5, calls=5))
    told = compare_diagnoses(few, few, 0.05)
    assert told.preference.advice == "undecided"
    assert verdicts(few, few)["slower"] == "undecided"
    assert list(comparison_lines(told))[-1].endswith("; not decided: slower, drift.")


def test_benchmarks_of_any_kind_are_compared():
    """Eager seconds against compiled ones: the second file is preferred if it is faster."""
    eager, compiled = Benchmark(seconds=seconds(0.01)), Benchmark(seconds=seconds(0.008, seed=1))
    assert compare_benchmarks(eager, compiled, 0.05).preference.advice == "after"
    told = compare_benchmarks(compiled, eager, 0.05)
    shown = {it.name: (it.before, it.after) for it in told.numbers}
    assert shown["calls"] == (300, 300)
    assert shown["median seconds"] == pytest.approx((0.008, 0.01), rel=0.05)
    assert (told.preference.advice, told.worse) == ("before", ["slower"])


@pytest.fixture
def compare(tmp_path):
    """Runs `compare` on two texts or reports, written into files."""

    def run(before, after, *options: str):
        for name, value in (("before.json", before), ("after.json", after)):
            text = value if isinstance(value, str) else json_text(value)
            (tmp_path / name).write_text(text, encoding="latin-1")
        files = [str(tmp_path / name) for name in ("before.json", "after.json")]
        return CliRunner().invoke(compare_command, [*files, *options], standalone_mode=False)

    return run


def test_the_exit_status_is_about_what_was_asked(compare):
    """By default about everything."""
    before, after = report(breaks=breaks(1)), report(breaks=breaks(2))
    assert compare(before, before).return_value == 0
    assert compare(before, after).return_value == 1
    assert compare(before, after, "--fail-on", "recompiles").return_value == 0
    assert compare(before, after, "--fail-on", "recompiles,graph-breaks").return_value == 1


def test_the_json_has_a_schema(compare):
    """What is printed fits it."""
    done = compare(report(gain=gain(1.2)), report(gain=gain(1.1)), "--json")
    told = valid("compare", done.stdout)
    assert {it["name"] for it in told["numbers"]} >= set(CHECKS)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("{", "before.json: is not JSON"),
        ("[]", 'is neither a report of diagnose nor a benchmark, {"seconds": [...]}'),
        ('{"seconds": []}', "before.json: Expected `array` of length >= 1 - at `$.seconds`"),
        (
            '{"seconds": [0]}',
            "before.json: Expected `float` >= 1e-12 - at `$.seconds[0]`; see `python -m validators",
        ),
        ("[" * 100_000, "before.json: is not JSON"),
        ('{"seconds": [1], "name": "\xe9"}', "before.json: is not JSON"),
        ('{"findings": 3, "parts": []}', "before.json: "),
        ('{"seconds": [1.0]}', "one is a report of diagnose and one a benchmark"),
        (report(breaks=breaks(-5)), "part breaks: Expected `int` >= 0"),
        (report(breaks={"calls": 1}), "part breaks: Object missing required field `graphs`"),
        (report(breaks=breaks(), gain={"seconds": {"eager": ["x"]}}), "part gain: "),
        (report(gain={"seconds": {"eager": [1], "again": [1], "compiled": [1, 2]}}), "length"),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_sentence(compare, before, said):
    """With the place and the remedy, as an error that the user can fix."""
    done = compare(before, report(breaks=breaks()))
    assert type(done.exception).__name__ == "CasebookError"
    assert said in str(done.exception)


@pytest.mark.parametrize(
    ("name", "said"), [("slower", "the part gain has no result"), ("speed", "is not one of")]
)
def test_a_guard_of_what_nobody_measured_is_refused(compare, name, said):
    """It would never fail."""
    quick = report(breaks=breaks())
    assert said in str(compare(quick, quick, "--fail-on", name).exception)


@pytest.mark.parametrize("threshold", ["nan", "inf", "-1"])
def test_a_threshold_that_nothing_exceeds_is_refused(compare, threshold):
    """Every time would be undecided."""
    quick = report(gain=gain(1.2))
    assert (
        type(compare(quick, quick, "--threshold", threshold).exception).__name__ == "BadParameter"
    )


def test_benchmarks_tell_nothing_of_graph_breaks(compare):
    """A guard that names them is refused, too."""
    times = Benchmark(seconds=[1.0] * 40)
    assert compare(times, times).return_value == 0
    said = str(compare(times, times, "--fail-on", "graph-breaks").exception)
    assert "benchmarks do not tell it" in said
