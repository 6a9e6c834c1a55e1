"""What each example prints on several releases of torch leads to its case, whatever the wording."""

from __future__ import annotations

import pytest

from tests.validators.match.judging import (
    example_logs,
    is_signed,
    our_catalog,
    our_index,
    rivals,
)
from validators.catalog import Case

PRINTED = example_logs()
CASES = our_catalog().by_name


@pytest.mark.parametrize("name", PRINTED)
def test_a_signature_leads_to_its_case(name: str) -> None:
    """On every release, a log with a line that a signature of the case matches leads to it.

    Of the cases that have a line as evidence, only those come before it that its page calls
    `alike`, which it does with a reason. Where another does, give the page a signature that only
    its cause prints, or say under `alike` why the other's lines say no less. By words alone six
    others may come before it.
    """
    case = CASES[name]
    alike, needed = set(case.meta.alike), set[str]()
    for by_line, before, by_words in (rivals(our_index(), case, log) for log in _signed(case)):
        assert before - alike == set(), "come first and are not `alike`"
        assert by_words <= 6
        needed |= by_line
    assert alike - needed == set(), "are `alike` and have no line as evidence; remove them"


def _signed(case: Case) -> list[str]:
    return [log for log in PRINTED[case.name] if is_signed(case, log)]


def test_only_cases_that_print_are_excused() -> None:
    """What a page says of lines is held to lines."""
    assert {case.name for case in CASES.values() if case.meta.alike} <= set(PRINTED)


def test_many_cases_print_on_several_releases() -> None:
    """Else there would be nothing to judge by."""
    assert len(PRINTED) > 300


@pytest.mark.parametrize("name", PRINTED)
def test_signatures_are_of_lines_that_are_printed(name: str) -> None:
    """On some release at least; else the page says whose lines they are (`signatures_from`)."""
    case = CASES[name]
    if case.meta.signatures:
        assert bool(_signed(case)) is not bool(case.meta.signatures_from)
