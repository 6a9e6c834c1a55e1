"""Links that lead nowhere are found; those that lead somewhere are not."""

from __future__ import annotations

import pytest
from docsite.broken import broken_links

FILES = {
    "a/index.html": '<h2 id="x y">x</h2><a href="#x%20y">x</a><a href="../b.txt?q=1">b</a>',
    "b.txt": "text with <a href='gone'>",
    "data.zip": b"",
}


@pytest.mark.parametrize(
    "link", ["a/index.html", "a/index.html#x%20y", "data.zip", "https://x.y/gone", "mailto:a@b.c"]
)
def test_what_is_there(link):
    """Files, anchors, and other sites, which nobody asks."""
    assert list(broken_links({**FILES, "index.html": f'<a class="c" href="{link}">x</a>'})) == []


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<a href="gone.html">', "index.html: links to gone.html, which the site does not have"),
        ('<img src="../b.txt">', "index.html: links to ../b.txt, which the site does not have"),
        ('<a href="a/index.html#y">', "index.html: links to a/index.html#y, but there is no such"),
        ('<a href="#y">', "index.html: links to #y, but there is no such heading"),
        ('<a href="a">', "index.html: links to a, which the site does not have"),
    ],
)
def test_what_is_not_there(html, said):
    """The page and the link are named once."""
    (found,) = broken_links({**FILES, "index.html": html * 2})
    assert found.startswith(said)
