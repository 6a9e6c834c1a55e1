"""Intervals and tables; regressions and nulls are told like gains."""

from __future__ import annotations

import pytest

from validators.evals.results import Attempt
from validators.evals.summary import lines, summarized, wilson
from validators.probes.intervals import bootstrap


def attempt(task, arm, number, solved, group="seen", seconds=10.0, pack="p"):
    """An attempt that solved its task, or not."""
    return Attempt(
        task=task,
        set=group,
        skills=["a"],
        arm=arm,
        number=number,
        agent="x",
        torch="2.13.0",
        pack=pack,
        outcome="solved" if solved else "failed",
        status=0,
        seconds=seconds,
    )


# From the formula of Wilson (1927), computed with statsmodels' proportion_confint.
@pytest.mark.parametrize(
    ("solved", "tries", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson(solved, tries, low, high):
    """The known intervals."""
    assert wilson(solved, tries) == pytest.approx((low, high), abs=1e-4)


def test_bootstrap():
    """It holds the median, is the same in every run, and is a point for equal values."""
    values = [float(it) for it in range(1, 31)]
    low, high = bootstrap(values)
    assert 8 < low < 15.5 < high < 23
    assert bootstrap(values) == (low, high)
    assert bootstrap([4.0] * 5) == (4.0, 4.0)


def test_gains_nulls_and_regressions():
    """Each task is told, the worst first, with the difference over all of them."""
    given = [
        *(attempt("up", "with", n, True) for n in range(2)),
        *(attempt("up", "without", n, False) for n in range(2)),
        *(attempt("same", arm, 0, True, "unseen") for arm in ("with", "without")),
        attempt("down", "with", 0, False),
        attempt("down", "without", 0, True),
        attempt("alone", "with", 0, True),
    ]
    found = list(lines(given))
    assert "| seen | with | 3/4 | 75% | 30% to 95% | 10.0 | 10.0 to 10.0 |" in found
    assert any(it.startswith("| unseen | without | 1/1 | 100% |") for it in found)
    assert any(it.startswith("| all | with | 4/5 |") for it in found)
    assert found[-3:] == [
        "| down | 0/1 | 1/1 | regression |",
        "| same | 1/1 | 1/1 | none |",
        "| up | 2/2 | 0/2 | gain |",
    ]
    assert any("differs by +0 points" in it and "3 tasks" in it for it in found)


def test_one_arm():
    """Nothing is compared."""
    found = list(lines([attempt("a", "with", 0, True)]))
    assert len(found) == 3


def test_only_the_newest_skills_count():
    """Older texts are named, and attempts without skills count for each text, once."""
    given = [
        attempt("a", "with", 0, True, pack="old"),
        attempt("a", "with", 1, True, pack="old"),
        attempt("a", "without", 0, True, pack=""),
        attempt("a", "with", 0, False, pack="new"),
        attempt("a", "without", 0, False, pack="other"),
    ]
    found = list(lines(given))
    assert found[0] == "Skills new; not counted are attempts with older texts: old."
    assert found[-1] == "| a | 0/1 | 0/1 | none |"
    assert summarized(given).packs == ["old", "new"]


def test_a_text_that_came_back_is_the_newest():
    """The last line with skills decides."""
    given = [attempt("a", "with", n, True, pack=it) for n, it in enumerate(("x", "y", "x"))]
    assert summarized(given).packs == ["y", "x"]
    assert [it.tries for it in summarized(given).rows] == [2]
