"""The words of an index: what weighs how much, and by which names pages are found."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.conftest import BODY
from validators.catalog import load_catalog
from validators.match import Index
from validators.match.index import data_of, index_of
from validators.match.making.building import OtherPage, build_index
from validators.match.words import key_of, words_of


@pytest.fixture
def small(tmp_path, write_case) -> Index:
    """Three cases and a guide."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "one", summary="Zebra crossing.", asked=["where is the yak"])
    write_case(root, "guards", "two", fix="Call `torch.mend(x)`.", asked=["a zebra", "a yak"])
    write_case(root, "guards", "six", BODY.replace("# ", "# `Break.me()` ", 1), asked=["lonely"])
    page = OtherPage("way", "guide", "The way", text="yak and zebra and lonely", aliases=("a b",))
    return build_index(load_catalog(root), [page])


def test_what_lists_show_weighs_more_than_what_is_hidden(small: Index) -> None:
    """For pages of one length; a word of a single page counts, too."""
    zebra, yak = words_of(small).postings["zebra"], words_of(small).postings["yak"]
    names = [page.name for page in small.pages]
    one, two = names.index("one"), names.index("two")
    assert zebra[one] > zebra[two] > 0
    assert {one, two, names.index("way")} == {*yak}
    assert {*words_of(small).postings["lonely"]} == {names.index("six"), names.index("way")}


def test_pages_have_keys(small: Index) -> None:
    """Names and aliases lead to pages, code in titles does, too; code in a fix is no name."""
    names = [page.name for page in small.pages]
    assert words_of(small).names["ab"] == [names.index("way")]
    assert words_of(small).apis["breakme"] == [names.index("six")]
    assert "mend" not in words_of(small).apis
    assert "x" not in words_of(small).apis


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("kv_cache-Item index", "kvcacheitemindex"),
        ("case:one", "one"),
        ("C++ compiler", "cppcompiler"),
        ("GB 0170", "gb0170"),
        ("`.item()`", "item"),
        ("?", ""),
    ],
)
def test_a_key_is_letters_and_digits(name: str, key: str) -> None:
    """However people write the name."""
    assert key_of(name) == key


def test_an_index_in_json_finds_the_same(small: Index, index: Index) -> None:
    """What is at its default is left out, and comes back."""
    for made in (small, index):
        data = msgspec.json.encode(data_of(made))
        assert b'"kind":"case"' not in data
        read = index_of(json.loads(data))
        assert read.pages == made.pages
        assert words_of(read) == words_of(made)
