"""What the cases of a catalog may cost together."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks.written.costs import check_costs


@pytest.fixture
def costly(tmp_path, write_case):
    """A function that writes cases which ask for so many CPU seconds each, and checks them all."""

    def check(*budgets: int, **fields) -> list[str]:
        for index, seconds in enumerate(budgets):
            cost = {"cpu_seconds": seconds, "why": "It trains a model."}
            write_case(tmp_path, "guards", f"case_{index}", cost=cost, **fields)
        write_case(tmp_path, "guards", "usual")
        catalog = load_catalog(tmp_path)
        assert not catalog.problems
        return [f"{p.path.stem}:{p.line}: {p.message}" for p in check_costs(catalog.cases)]

    return check


def test_ten_pages_may_ask_for_more(costly):
    """With a reason each."""
    assert costly(*range(20, 30)) == []


def test_of_more_pages_those_that_ask_for_least_are_named(costly):
    """The message says how many there are, and how many may be."""
    problems = costly(*range(20, 32))
    assert [problem.split(":")[0] for problem in problems] == ["case_1", "case_0"]
    said = "`cost`: 12 pages ask for more than 10 CPU seconds, but only 10 may; "
    assert problems[0] == f"case_1:10: {said}make this case cheaper"


def test_what_is_not_run_costs_nothing(costly):
    """Retired cases do not count."""
    assert costly(*range(20, 32), withdrawn="It is over.") == []


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ({"cpu_seconds": 25}, "lacks `cost.why`; add it"),
        ({"cpu_seconds": 25, "why": " "}, "`cost.why`: Expected `str` matching regex"),
        ({"cpu_seconds": 10, "why": "No need."}, "`cost.cpu_seconds`: Expected `int` >= 11"),
    ],
)
def test_more_takes_a_reason_and_has_to_be_more(tmp_path, write_case, cost, message):
    """A page that only raises the number, or does not raise it, is refused."""
    write_case(tmp_path, "guards", "one", cost=cost)
    (problem,) = load_catalog(tmp_path).problems
    assert message in problem.message
    assert problem.line == 10
