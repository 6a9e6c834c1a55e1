"""The order of columns, and releases in words."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from validators.environment.column_name import by_release, span
from validators.environment.column_pattern import COLUMN_PATTERN

RECORDED = ("2.5.1", "2.9.1", "2.11.0", "2.13.0")
ORDERED = [
    "torch-2.5.1-cpu",
    "torch-2.9.1-cpu",
    "torch-2.11.0-cpu",
    "torch-2.11.0-h200",
    "torch-2.13.0.dev20260101-cpu",
    "torch-2.13.0rc1-cpu",
    "torch-2.13.0rc10-cpu",
    "torch-2.13.0-cpu",
    "torch-2.13.0-sm90-compiled",
    "torch-2.13.0.post1-cpu",
]


def test_columns_are_sorted_by_release():
    """As versions, not as text: a prerelease before its release, a CPU before GPUs."""
    shuffled = random.Random(0).sample(ORDERED, len(ORDERED))
    assert sorted(shuffled, key=by_release) == ORDERED


@given(st.lists(st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,3}){2}(rc[1-9]|\.dev[1-9])?", fullmatch=True)))
def test_releases_are_sorted_as_pep_440_sorts_them(releases):
    """Those of torch, which all have three numbers."""
    names = sorted((f"torch-{it}-cpu" for it in releases), key=by_release)
    found = [Version(it.split("-")[1]) for it in names]
    assert found == sorted(found)


@given(st.from_regex(COLUMN_PATTERN, fullmatch=True) | st.text())
def test_every_name_has_a_place(name):
    """Whatever a damaged file or a user writes."""
    assert by_release(name) <= by_release(name)


@pytest.mark.parametrize(
    ("releases", "words"),
    [
        (RECORDED, "2.5.1 to 2.13.0"),
        (("2.13.0", "2.5.1", "2.9.1"), "2.5.1 to 2.9.1, 2.13.0"),
        (("2.11.0",), "2.11.0"),
        ((), ""),
        (("2.4.0",), ""),
    ],
)
def test_releases_in_words(releases, words):
    """Neighbours are a range; versions are sorted as numbers."""
    assert span(releases, RECORDED) == words
