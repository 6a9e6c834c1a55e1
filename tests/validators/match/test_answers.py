"""What an answer says of a case: its three lines, and what is known of the release named."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.match.answers import answer_of, status_on


def test_an_answer_says_what_happens_and_what_to_do(tmp_path, write_case):
    """In the page's own words, each in one line; without a summary the claim says it."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a", summary="The guard\nfails.", fix="Call\n`f(x)`.")
    write_case(root, "guards", "b", claim="It\nfails.", summary="", fix="")
    a, b = (answer_of(load_catalog(root).by_name[name], {}) for name in "ab")
    assert (a.summary, a.fix) == ("The guard fails.", "Call `f(x)`.")
    assert (b.summary, b.fix) == ("It fails.", "")


@pytest.mark.parametrize(
    ("torch", "said"),
    [
        ("", ""),
        ("2.13", "confirmed on torch-2.13.0-cpu, refuted on torch-2.13.0-h100"),
        ("2.1", "undecided on torch 2.1; refuted on torch-2.9.1-cpu"),
        (
            "2.9.2",
            "undecided on torch 2.9.2; refuted on torch-2.9.1-cpu, confirmed on torch-2.13.0-cpu, "
            "refuted on torch-2.13.0-h100",
        ),
        (
            "2.14",
            "undecided on torch 2.14; confirmed on torch-2.13.0-cpu, refuted on torch-2.13.0-h100",
        ),
        ("2.15.0", "fixed in 2.15"),
        ("3.0", "fixed in 2.15"),
    ],
)
def test_what_is_known_there(tmp_path, write_case, torch, said):
    """A verdict of that release before the fix, and the fix before the nearest releases."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a", upstream=[{"issue": "pytorch/pytorch#1", "fixed_in": "2.15"}])
    case = load_catalog(root).by_name["a"]
    decided = {"torch-2.13.0-h100": "refuted", "torch-2.9.1-cpu": "refuted"}
    answer = answer_of(case, decided | {"torch-2.13.0-cpu": "confirmed"})
    assert status_on(answer, torch) == said


def test_without_evidence_nothing_is_said_to_be_known(tmp_path, write_case):
    """Not what the page leads one to expect."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a")
    answer = answer_of(load_catalog(root).by_name["a"], {})
    assert status_on(answer, "2.7") == "undecided on torch 2.7; nothing has decided it"
