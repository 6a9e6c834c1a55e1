"""Terms and their pages are packed and come back as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from validators.match.language.packing import packed, unpacked

TERM = st.text(alphabet="ab_.9", min_size=1, max_size=40)
PAGES = st.sets(st.integers(0, 2000), min_size=1).map(sorted)


@given(st.dictionaries(TERM, PAGES))
def test_what_is_packed_comes_back(holders: dict[str, list[int]]) -> None:
    """In the order of the terms."""
    assert list(unpacked(*packed(holders))) == sorted(holders.items())


def test_it_is_short() -> None:
    """A shared beginning costs a letter, and so does a page that is near."""
    assert packed({"recompil": [0, 1, 700], "recompile_limit": [25]}) == (
        "arecompil ie_limit",
        "abBAx z",
    )
    many = packed({"a" * 30: [0], "a" * 31: [0]})[0].split(" ")
    assert many[1] == "z" + "a" * 6
