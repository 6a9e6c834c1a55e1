"""Addresses of headings."""

from __future__ import annotations

from docsite.headings import heading, slug, with_unique_ids
from markupsafe import Markup


def test_an_address_is_made_of_the_text():
    """As Python-Markdown makes it, since people have links to those."""
    assert slug("How to tell") == "how-to-tell"
    assert slug("`a_b` & <c>: Käse") == "a_b-c-kase"
    assert slug("???") == "section"
    assert heading("a < `b`") == '<h2 id="a-b">a &lt; `b`</h2>'
    assert heading(Markup("the <code>x</code>"), 3) == '<h3 id="the-x">the <code>x</code></h3>'


def test_equal_headings_get_addresses_of_their_own():
    """In their order; the list has all of them, without links."""
    link = heading(Markup('<a href="#">b</a>'))
    html = f"{heading('Why')}<p>x</p>{heading('Why')}{link}"
    made, found = with_unique_ids(html)
    assert [(it.level, it.id, str(it.text)) for it in found] == [
        (2, "why", "Why"),
        (2, "why_1", "Why"),
        (2, "b", "b"),
    ]
    assert made.count('id="why"') == 1 and 'id="why_1"' in made
