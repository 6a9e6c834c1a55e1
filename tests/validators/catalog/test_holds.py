"""Where a claim is expected to be confirmed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.catalog import FrontMatter, Holds, expected_to_hold

RELEASES = st.tuples(st.just(2), st.integers(0, 20), st.integers(0, 3))
SUFFIXES = st.sampled_from(["", "a0", "a0+git1234567", "rc1", ".dev20260801", ".dev1+cu130"])


def holds(*items: Holds) -> FrontMatter:
    """Front matter with these `holds`."""
    return FrontMatter(
        claim="c", kind="limitation", severity="low", devices=["cpu"], holds=list(items)
    )


@given(RELEASES, SUFFIXES, st.sampled_from([">=", "<", "==", "!=", "~=", ">"]), RELEASES)
def test_a_prerelease_counts_as_its_base_version(release, suffix, operator, bound):
    """A nightly, a release candidate or a local build is where its release is."""
    base = ".".join(map(str, release))
    meta = holds(Holds(torch=operator + ".".join(map(str, bound))))
    nightly = expected_to_hold(meta, base + suffix, "cpu", "3.12.0")
    assert nightly == expected_to_hold(meta, base, "cpu", "3.12.0")


@given(RELEASES, SUFFIXES, RELEASES)
def test_a_bound_splits_all_versions(release, suffix, bound):
    """Every version is on exactly one side of a bound."""
    version = ".".join(map(str, release)) + suffix
    edge = ".".join(map(str, bound))
    sides = [
        expected_to_hold(holds(Holds(torch=operator + edge)), version, "cpu", "3.12.0")
        for operator in (">=", "<")
    ]
    assert sorted(sides) == [False, True]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], True),
        ([Holds()], True),
        ([Holds(torch=">=2.13,<2.14")], True),
        ([Holds(torch=">=2.14")], False),
        ([Holds(device="cuda")], False),
        ([Holds(torch=">=2.13", device="cuda")], False),
        ([Holds(device="cuda"), Holds(python=">=3.12")], True),
        ([Holds(python="<3.12")], False),
    ],
)
def test_items_are_alternatives_and_their_parts_are_not(items, expected):
    """One item is enough, but all of its parts must fit; no item means everywhere."""
    assert expected_to_hold(holds(*items), "2.13.1+cpu", "cpu", "3.12.4") is expected
