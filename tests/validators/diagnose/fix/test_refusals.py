"""Why `verify-fix` refuses a fix, and what it only names, by what both forms did."""

from __future__ import annotations

from dataclasses import replace

import pytest

from validators.diagnose.findings.finding import Health
from validators.diagnose.fix.judging import better, refusals, remarks
from validators.diagnose.fix.verify import with_told

RECORDED = {"settings": {}, "called": [], "asked": [], "varying": 1, "loose": "", "hasty": False}
SOUND = {
    "raised": [],
    "different": [],
    "named": [],
    "lost": "",
    "settings": {},
    "called": [],
    "asked": [],
    "hasty": False,
    "slow": False,
}
BROKEN = Health(graphs=2, breaks=1, recompiles=0, limits=0, compiled=0.8, raised="")
FIXED = Health(graphs=2, breaks=0, recompiles=1, limits=0, compiled=1.0, raised="")
SOUND_FIX = replace(FIXED, recompiles=0)


def judged(before=None, after=None, recorded=None, **replay):
    """What is refused and what is named of a fix that is sound but for these fields."""
    given = (
        replace(BROKEN, **(before or {})),
        replace(SOUND_FIX, **(after or {})),
        RECORDED | (recorded or {}),
        SOUND | replay,
    )
    return refusals(*given), list(remarks(*given))


def test_more_recompiles_are_refused() -> None:
    """Also where something else got better."""
    assert judged(after={"recompiles": 1})[0] == ["it has more recompiles: 1, were 0"]
    assert judged() == ([], [])


def test_a_target_that_raised_was_not_counted_to_its_end() -> None:
    """What came after its exception may recompile."""
    before = {"breaks": 0, "raised": "TypeError: no"}
    assert judged(before, {"recompiles": 1})[0] == []


def test_a_target_that_fails_compiled_is_worse():
    """Whatever was counted of it under another backend."""
    before = {"breaks": 0, "compiled": 1.0, "failed": "call 0 raises KeyError"}
    after = {"breaks": 2, "compiled": 0.5}
    assert judged(before, after)[0] == []
    given = replace(BROKEN, **before), replace(SOUND_FIX, **after)
    assert better(*given) == ["it works compiled; before, call 0 raises KeyError"]
    assert judged(before, {"graphs": 0})[0] == ["it compiles nothing"]


def test_a_crash_that_eager_calls_prevent_counts():
    """A user's process has made no such calls."""
    cold, sound = {"cold": "KeyError: no", "breaks": 0, "compiled": 1.0}, {"breaks": 0}
    assert judged(cold, sound)[0] == []
    given = replace(BROKEN, **cold), SOUND_FIX
    assert better(*given) == ["no exception in a new process"]
    assert judged(None, {"cold": "KeyError: no"})[0] == ["it raises in a new process: KeyError: no"]
    assert judged(cold, cold)[0] == ["nothing compiles better than before"]
    assert "no exception in a new process" not in better(given[0], replace(SOUND_FIX, raised="E"))


@pytest.mark.parametrize(
    ("times", "refused", "named"),
    [(1.1, False, False), (2.0, False, True), (4.5, True, False)],
)
def test_more_work_is_named_or_refused(times, refused, named):
    """Much more is refused; calls that only one form has warm do not count."""
    work = {"0": 10**6, "1": 10**6}
    after = {"0": int(times * 10**6), "1": int(times * 10**6), "2": 10**9}
    said = judged({"work": work}, {"work": after})
    assert [any("times the work" in it for it in part) for part in said] == [refused, named]


def test_more_work_of_a_small_example_says_nothing():
    """It has so little to begin with that any op is a large part."""
    assert judged({"work": {"0": 10}}, {"work": {"0": 1000}}) == ([], [])


@pytest.mark.parametrize(("outside", "refused"), [(150_000, False), (250_000, True)])
def test_more_work_outside_of_graphs_is_refused(outside, refused):
    """Whatever part of the ops it is; a little decides nothing."""
    work = {"0": 10**6, "1": 10**6}
    before = {"work": work, "outside": {"0": 0, "1": 0}}
    after = {"work": work, "outside": {"0": outside, "1": 0}}
    said, _ = judged(before, after)
    assert any("of the work is done outside of graphs" in it for it in said) == refused


@pytest.mark.parametrize(
    ("name", "was", "now", "refused"),
    [
        ("suppress_errors", False, True, True),
        ("recompile_limit", 8, 64, True),
        ("recompile_limit", 8, 2, False),
        ("assume_static_by_default", True, False, False),
    ],
)
def test_settings_are_refused_if_they_hide_trouble(name, was, now, refused):
    """And named if they do not."""
    said = judged(settings={f"torch._dynamo.config.{name}": [was, now]})
    assert [bool(part) for part in said] == [refused, not refused]


@pytest.mark.parametrize(
    ("name", "values", "refused"),
    [
        ("torch._dynamo.config.recompile_limit", [8, 64, 8], True),
        ("torch.compiler's stance", ["default", "eager_on_recompile"], True),
        ("torch.compiler's stance", ["default", "force_eager"], True),
        ("torch.compiler's stance", ["default", "fail_on_recompile"], False),
        ("torch.compiler's skip_guard_eval_unsafe", [False, True], True),
        ("what silences torch's logs", [[0], [50]], True),
    ],
)
def test_what_held_for_a_while_counts(name, values, refused):
    """Although it is as before in the end."""
    said = judged(settings={name: values})
    assert [bool(part) for part in said] == [refused, not refused]


@pytest.mark.parametrize(
    ("called", "refused"),
    [
        ("calls torch._dynamo.reset", True),
        ("replaces torch._dynamo.convert_frame.exceeds_recompile_limit", True),
        ("calls torch.compiler.allow_in_graph", False),
    ],
)
def test_what_a_fix_does_to_the_compiler_counts(called, refused):
    """Unless the first form does it as well."""
    said = judged(called=[called])
    assert [bool(part) for part in said] == [refused, not refused]
    assert judged(recorded={"called": [called]}, called=[called]) == ([], [])


def test_what_two_parts_tell_is_one():
    """Compiled calls are made by the part that counts, and by the one that compares."""
    one = {"settings": {"a": [1, 2], "b": [0, 1]}, "called": ["y"], "calls": 3}
    other = {"settings": {"a": [1, 3]}, "called": ["x"], "graphs": 9}
    together = {"settings": {"a": [1, 2, 3], "b": [0, 1]}, "called": ["x", "y"], "calls": 3}
    assert with_told(one, other) == together


def test_what_the_first_form_sets_as_well_is_no_news():
    """It does not tell the two apart."""
    changed = {
        "torch._dynamo.config.recompile_limit": [8, 64],
        "torch.compiler's stance": ["default", "eager_on_recompile"],
    }
    told = {"settings": changed, "asked": ["dynamic=True"]}
    assert judged(recorded=told, **told) == ([], [])


@pytest.mark.parametrize(
    ("option", "refused"),
    [
        ("disable=True", True),
        ("recompile_limit=64", True),
        ("options=guard_filter_fn", True),
        ("dynamic=True", False),
        ("mode='max-autotune'", False),
    ],
)
def test_options_are_refused_if_they_hide_trouble(option, refused):
    """And named if they do not."""
    said = judged(asked=[option])
    assert [bool(part) for part in said] == [refused, not refused]


def test_what_nobody_can_decide_is_named():
    """Operators that no compiler sees, and outputs made of rounding."""
    _, named = judged(
        after={"operators": ["mine::whole"]},
        recorded={"loose": "rounding may change it"},
    )
    assert [it.split()[0] for it in named] == ["no", "rounding"]
