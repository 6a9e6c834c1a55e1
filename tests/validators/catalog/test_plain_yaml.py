"""The quick reader of YAML: it says what the whole loader says, or leaves the text to it."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from validators.catalog.plain_yaml import LOADER, NotPlain, load_plain
from validators.evidence.digest import ROOT

# What YAML gives a meaning to, in any order.
WORDS = ["<<", ".5", "0x1f", "1_0", "1:30", "true", "no", "null", "2026-05-99", "2026-11-21"]
MARKS = [".inf", "\\x00", "---", "...", "\n  ", ": ", "- ", "\n- ", "!!int ", "&x ", "*x"]
PIECES = st.sampled_from([*WORDS, *MARKS, *"ab1:-?,[]{}&*!|>'\"#%@~= \n\t"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates()
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def same(one: Any, other: Any) -> bool:
    """Whether two values have equal types and values; NaN equals itself."""
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return same([*map(list, one.items())], [*map(list, other.items())])
    return type(one) is type(other) and one == other


@given(st.lists(PIECES, max_size=24).map("".join))
def test_any_text_is_read_as_the_whole_loader_does(source):
    """Or not at all: what the loader refuses is never given a value."""
    try:
        value = load_plain(source, 20)
    except NotPlain:
        return
    assert same(value, yaml.load(source, Loader=LOADER))


@given(DATA)
def test_data_is_read_as_written(data):
    """Whatever PyYAML writes without anchors and tags is plain."""
    source = yaml.safe_dump(data, allow_unicode=True)
    try:
        value = load_plain(source, 20)
    except NotPlain:
        assert any(mark in source for mark in "&*!=<") or "\\" in source
    else:
        assert same(value, yaml.load(source, Loader=LOADER))


def test_the_catalog_is_plain():
    """No page needs the slow way."""
    for page in (ROOT / "playbooks" / "catalog").glob("*/*.md"):
        source = page.read_text(encoding="utf-8").split("---\n")[1]
        assert same(load_plain(source, 20), yaml.load(source, Loader=LOADER))


@pytest.mark.parametrize(
    "source",
    [
        "a: &x 1\nb: *x",
        "a: !!int '1'",
        "<<: {a: 1}",
        "[" * 99 + "]" * 99,
        "- " * 99,
        "a: [",
        "? []",
        "a: {b: 1, b: 2}",
    ],
)
def test_what_is_not_plain_is_left_to_the_loader(source):
    """Anchors, tags, merges, depth, and what is no YAML."""
    with pytest.raises(NotPlain):
        load_plain(source, 20)
