"""A title asks where nothing is decided, and states elsewhere."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks.written.titles import ASKS, STATES, check_titles
from validators.evidence import write_record
from validators.repository import Repository
from validators.verdicts import Verdict


@pytest.fixture
def problems(tmp_path, write_case, make_record):
    """What the check says of a case with this title and these verdicts, one for each release."""

    def told(title: str, *verdicts: Verdict, **fields: str) -> list[str]:
        root = tmp_path / "playbooks/catalog"
        page = write_case(root, "guards", "a_case", **fields)
        page.write_text(page.read_text().replace("\n# A branch on a tensor\n", f"\n# {title}\n"))
        case = load_catalog(root).by_name["a_case"]
        for minor, verdict in enumerate(verdicts):
            record = make_record(case, torch=f"2.{minor}.0", verdict=verdict, reason="none")
            write_record(tmp_path / "playbooks/evidence", record)
        return [problem.message for problem in check_titles(Repository(root, whole=True))]

    return told


@pytest.mark.parametrize("verdict", ["skipped", "undecided", "unstable", "error"])
def test_an_undecided_title_asks(problems, verdict):
    """Whatever kept each column from a verdict."""
    assert problems("It is slow", "skipped", verdict) == [ASKS]
    assert problems("Is it slow?", "skipped", verdict) == []


@pytest.mark.parametrize("verdict", ["confirmed", "refuted", "remedy-failed"])
def test_a_decided_title_states(problems, verdict):
    """One column is enough."""
    assert problems("Is it slow?", "skipped", verdict) == [STATES]
    assert problems("It is slow", "skipped", verdict) == []


def test_a_new_or_retired_case_may_have_any_title(problems):
    """No program ran the one, and none will run the other."""
    assert problems("It is slow") == problems("Is it slow?") == []
    assert problems("It is slow", "skipped", withdrawn="It was wrong.") == []
