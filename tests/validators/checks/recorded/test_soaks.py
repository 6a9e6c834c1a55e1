"""Soaks and what pages declare of them agree."""

from __future__ import annotations

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.checks.recorded.soaks import check_soaks
from validators.checks.written.words import check_words
from validators.evidence.stored.soaks import Soak, soak_digest, write_soak
from validators.repository import Repository

COLUMN = "torch-2.13.0-cpu"
BODY = page_with_example("import torch\ntorch.compile(f)", "import torch\ntorch.compile(f)(1)")


@pytest.fixture
def problems(tmp_path, write_case):
    """What `check` says of a page with `limits` whose soak showed others."""

    def found(limits: dict, shown: dict | None, **fields) -> list[str]:
        root = tmp_path / "playbooks" / "catalog"
        write_case(root, "guards", "a", body=BODY, limits=limits)
        case = load_catalog(root).by_name["a"]
        if shown is not None:
            told = {"digest": soak_digest(case), "torch": "2.13.0", "limits": shown} | fields
            write_soak(root.parent / "evidence", "a", COLUMN, Soak(**told))
        return [it.message for it in check_soaks(Repository(root))]

    return found


@pytest.mark.parametrize(
    ("limits", "shown", "message"),
    [
        ({}, {}, ""),
        ({}, None, ""),
        ({"items": "each new number compiles"}, {"items": "each compiles"}, ""),
        ({}, {"items": "each compiles"}, "lacks `items`: each compiles (torch-2.13.0-cpu)"),
        ({"sizes": "each compiles"}, {}, "no current soak shows `sizes`"),
        ({"sizes": "each compiles"}, None, "no current soak shows `sizes`"),
    ],
)
def test_limits_are_those_that_soaks_show(problems, limits, shown, message):
    """No more and no fewer; a page without a soak need not declare any."""
    said = problems(limits, shown)
    assert [message in it for it in said] == [True] * bool(message)


def test_a_soak_of_another_program_is_a_problem(problems):
    """It shows nothing of the program as it stands."""
    stale, unseen = problems({"items": "each compiles"}, {"items": "compiles"}, digest="old")
    assert "the example has changed since its soak" in stale
    assert "no current soak shows `items`" in unseen


def test_a_soak_of_no_case_is_a_problem(tmp_path, write_case):
    """A file that is left when a page goes."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "guards", "a")
    write_soak(root.parent / "evidence", "gone", COLUMN, Soak(digest="d", torch="2.13.0"))
    (problem,) = check_soaks(Repository(root))
    assert "gone is not a case" in problem.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("each new number of images compiles", ""),
        ("word " * 11, "`grad` has 11 words; write at most 10"),
        ("backward raises.", "ends with a period"),
    ],
)
def test_a_limit_is_a_short_phrase(tmp_path, write_case, text, message):
    """It stands behind the `fix`."""
    write_case(tmp_path, "guards", "a", summary="S.", fix="Use `x`.", limits={"grad": text})
    found = [it.message for it in check_words(load_catalog(tmp_path).by_name["a"])]
    assert [message in it for it in found] == [True] * bool(message)
