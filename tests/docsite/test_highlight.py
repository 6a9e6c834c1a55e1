"""Source code as HTML."""

from __future__ import annotations

from docsite.highlight import code_block


def test_plain_words_have_no_element_of_their_own():
    """Keywords, strings and the like have one, for their colour."""
    html = code_block("def f(x):\n    return x + 'y'\n")
    assert '<span class="k">def</span> <span class="nf">f</span>(x):' in html
    assert 'return</span> x + <span class="s1">' in html
