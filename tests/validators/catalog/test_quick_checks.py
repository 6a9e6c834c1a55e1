"""What front matter is taken to be right without asking the library that knows is right."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from validators.catalog.frontmatter import _BOUNDS, _PLAIN_PATTERN, _RELEASE


@given(st.text(st.sampled_from("ab1 \\.*+?{}()[]|^$-_\n")) | st.text())
def test_plain_patterns_compile(text):
    """Whatever stands in them."""
    if _PLAIN_PATTERN.fullmatch(text):
        re.compile(text)


@given(st.text(st.sampled_from("0123456789.<>=!~,+* ab"), max_size=12))
def test_plain_versions_are_versions(text):
    """Releases and their bounds, alone and in lists."""
    if _RELEASE.fullmatch(text):
        Version(text)
    if _BOUNDS.fullmatch(text):
        for specifier in SpecifierSet(text):
            specifier.contains("2.13.0")


def test_real_ones_are_quick():
    """Else the quick way would be of no use."""
    assert _PLAIN_PATTERN.fullmatch(r"2 <= .*\.size\(\)\[0\]")
    assert _PLAIN_PATTERN.fullmatch(r"Call to `torch\._dynamo\.graph_break\(\)`")
    assert _BOUNDS.fullmatch(">=2.13,<2.16")
    assert _RELEASE.fullmatch("2.14.0")
