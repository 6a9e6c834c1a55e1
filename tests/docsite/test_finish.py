"""What is added to the built site and taken out of its search."""

from __future__ import annotations

import json

import pytest
from docsite.finish import finish
from docsite.highlight import code_block


def test_heads_name_the_markdown_that_is_there(tmp_path):
    """A redirect has none; the search of the theme gets a name."""
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "markdown").mkdir()
    search = '<p data-md-component="search" role="dialog">'
    for name in ("index.html", "other.html"):
        (site / name).write_text(f"<head>\n</head><p>&lt;/head>{search}")
    (tmp_path / "markdown" / "index.html.md").write_text("# x\n")
    finish(tmp_path)
    link = '<link rel="alternate " type="text/markdown" href="index.html.md">'
    rest = f'</head><p>&lt;/head>{search[:-1]} aria-label="Search">'
    assert (site / "index.html").read_text() == f"<head>\n{link}\n{rest}"
    assert (site / "other.html").read_text() == f"<head>\n{rest}"
    assert (site / "index.html.md").read_text() == "# x\n"


@pytest.mark.parametrize(("name", "before"), [("js", "var __index = "), ("json", "")])
def test_only_a_page_has_its_tags(tmp_path, name, before):
    """A section is found for its own words; both forms of the index stay what they are."""
    index = tmp_path / "site" / "search" / f"search_index.{name}"
    index.parent.mkdir(parents=True)
    (tmp_path / "markdown").mkdir()
    page, section = ({"location": place, "tags": ["é"]} for place in ("a/", "a/#b"))
    index.write_text(before + json.dumps({"config": {}, "docs": [page, section]}), "utf-8")
    finish(tmp_path)
    found = index.read_text("utf-8").removeprefix(before)
    assert json.loads(found) == {"config": {}, "docs": [page, {"location": "a/#b"}]}


def test_plain_words_have_no_element_of_their_own():
    """Keywords, strings and the like have one, for their colour."""
    html = code_block("def f(x):\n    return x + 'y'\n")
    assert '<span class="k">def</span> <span class="nf">f</span>(x):' in html
    assert 'return</span> x + <span class="s1">' in html


def test_the_search_knows_claims_and_no_programs(site):
    """A proof, its observations and how to run it are no answers to what somebody looks for."""
    index = json.loads((site / "search" / "search_index.json").read_text())
    mine = [d for d in index["docs"] if d["location"].startswith("catalog/tensor_branch/")]
    anchors = {d["location"].partition("#")[2] for d in mine}
    assert {"symptom", "why", "remedy", "how-to-tell", "where-it-came-from"} <= anchors
    assert not anchors & {"the-reproducer", "what-the-probes-saw", "run-it-yourself"}
    text = " ".join(d["text"] for d in mine)
    assert "A Python branch on a tensor breaks the graph." in text
    assert "def symptom" not in text
