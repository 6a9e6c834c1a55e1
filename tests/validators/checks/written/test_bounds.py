"""Releases in titles, summaries, claims and fixes, compared with the verdicts."""

from __future__ import annotations

import pytest

from tests.world import BODY
from validators.catalog import load_catalog
from validators.checks.written.bounds import stated_ranges
from validators.evidence import write_record

RELEASES = ["2.5.1", "2.8.0", "2.9.1", "2.11.0", "2.12.1", "2.13.0"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("It breaks the graph.", ""),
        ("Up to torch 2.9, it breaks.", "2.5.1 2.8.0 2.9.1"),
        ("Before torch 2.9 it breaks.", "2.5.1 2.8.0"),
        ("It breaks until torch 2.9.1.", "2.5.1 2.8.0 2.9.1"),
        ("Since torch 2.12 it breaks.", "2.12.1 2.13.0"),
        ("It breaks from torch 2.12 on", "2.12.1 2.13.0"),
        ("It breaks on torch 2.12 and later.", "2.12.1 2.13.0"),
        ("It breaks (torch 2.12 or newer).", "2.12.1 2.13.0"),
        ("After torch 2.12 it breaks.", "2.13.0"),
        ("On torch 2.9, it breaks.", "2.9.1"),
        ("On torch 2.8, 2.11 and 2.13 it breaks.", "2.8.0 2.11.0 2.13.0"),
        ("It breaks (torch 2.8 to 2.11).", "2.8.0 2.9.1 2.11.0"),
        ("On torch 2.5 and from 2.12 on it breaks.", "2.5.1 2.12.1 2.13.0"),
        ("On torch 2.5 and 2.12+ it breaks.", "2.5.1 2.12.1 2.13.0"),
        ("Up to torch 2.8 and from torch 2.13 on", "2.5.1 2.8.0 2.13.0"),
        ("It breaks, on a GPU from torch 2.13 on.", ""),
        ("Install `torch 2.9`, not `on torch 2.9`.", ""),
    ],
)
def test_the_releases_that_a_text_names(text, named):
    """All phrases of a text together; code and what is about a GPU name none."""
    stated = [*stated_ranges(text)]
    numbers = {it: tuple(map(int, it.split("."))) for it in RELEASES}
    found = [it for it, number in numbers.items() if any(one(number) for one in stated)]
    assert " ".join(found) == named


@pytest.fixture
def wrong(check, tmp_path, write_case, make_record):
    """The fields whose releases the records of 2.9.1, 2.11.0 and 2.13.0 contradict."""

    def run(letters, **fields):
        root = tmp_path / "playbooks/catalog"
        write_case(root, "guards", "one", **fields)
        case = load_catalog(root).by_name["one"]
        for release, letter in zip(("2.9.1", "2.11.0", "2.13.0"), letters, strict=True):
            refuted = {"verdict": "refuted", "shows": {"symptom": False, "remedy": False}}
            record = make_record(case, torch=release, **(refuted if letter == "r" else {}))
            write_record(tmp_path / "playbooks/evidence", record)
        problems = [it for it in check()[1] if "names other releases" in it]
        return [it.partition("`")[2].partition("`")[0] for it in problems]

    return run


@pytest.mark.parametrize(
    ("letters", "summary", "right"),
    [
        ("ccr", "Up to torch 2.11 it breaks.", True),
        ("ccr", "Up to torch 2.12 it breaks.", True),
        ("ccr", "On torch 2.9 it breaks.", False),
        ("ccr", "Up to torch 2.13 it breaks.", False),
        ("rcc", "On torch 2.11 and 2.13 it breaks.", True),
        ("rcc", "Up to torch 2.13 it breaks.", False),
        ("rcc", "Since torch 2.12 it breaks.", False),
        ("ccc", "Before torch 2.13 it breaks.", False),
    ],
)
def test_a_summary_agrees_with_the_verdicts(wrong, letters, summary, right):
    """A release that confirms the claim must be named, one that refutes it must not."""
    assert wrong(letters, summary=summary) == ([] if right else ["summary"])


def test_titles_and_claims_are_compared_too(wrong):
    """Each by itself."""
    body = BODY.format(title="It breaks on torch 2.9")
    assert sorted(wrong("ccr", body=body, claim="Before torch 2.13, it breaks.")) == ["title"]
    assert wrong("ccr", claim="Before torch 2.11, it breaks.") == ["claim"]


def test_a_release_to_upgrade_to_helps(wrong):
    """No later release may confirm the claim."""
    assert wrong("ccr", fix="Call `f`, or upgrade to torch 2.13.") == []
    assert wrong("ccr", fix="Call `f`, or upgrade torch to 2.11.") == ["fix"]
    assert wrong("rrr", fix="Call `f`, or upgrade torch to 2.11.") == []


def test_a_retired_case_is_left_alone(wrong):
    """Nobody acts on its texts."""
    assert wrong("ccr", summary="On torch 2.9 it breaks.", withdrawn="It was wrong.") == []
