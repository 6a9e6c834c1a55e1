"""What is taken out of the built site, and what must stay."""

from __future__ import annotations

import json

import pytest
from docsite.code import code_block
from docsite.squeeze import squeeze


def test_only_space_that_nobody_sees_goes(tmp_path):
    """Program text, scripts and words keep theirs."""
    page = tmp_path / "index.html"
    pre = "<pre class='a'>\n  two\n\n\n  lines</pre>"
    script = "<script>\n  if (a\n   < b) {}</script>"
    page.write_text(f"<p>\n   one\n\n  word</p>\n\n\n  {pre}\n   {script}  <b>x</b>\n")
    squeeze(tmp_path)
    assert page.read_text() == f"<p>\none\nword</p>\n{pre}\n{script}  <b>x</b>\n"


def test_heads_name_the_markdown_that_is_there(tmp_path):
    """A redirect has none; a drawing within a page needs no namespace."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
    for name in ("index.html", "other.html"):
        (tmp_path / name).write_text(f"<head>\n</head><p>&lt;/head> {svg}</p>")
    (tmp_path / "index.html.md").write_text("# x\n")
    squeeze(tmp_path)
    link = '<link rel="alternate " type="text/markdown" href="index.html.md">'
    rest = '</head><p>&lt;/head> <svg viewBox="0 0 1 1"></svg></p>'
    assert (tmp_path / "index.html").read_text() == f"<head>\n{link}\n{rest}"
    assert (tmp_path / "other.html").read_text() == f"<head>\n{rest}"
    assert (tmp_path / "index.html.md").read_text() == "# x\n"


def test_source_maps_and_other_languages_go(tmp_path):
    """They are a tenth of a small site."""
    scripts = tmp_path / "assets" / "javascripts"
    (scripts / "lunr" / "min").mkdir(parents=True)
    for name in ("lunr/min/lunr.de.min.js", "bundle.js.map", "bundle.js"):
        (scripts / name).write_text("x")
    squeeze(tmp_path)
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["bundle.js"]


@pytest.mark.parametrize(("name", "before"), [("js", "var __index = "), ("json", "")])
def test_only_a_page_has_its_tags(tmp_path, name, before):
    """A section is found for its own words; both forms of the index stay what they are."""
    index = tmp_path / "search" / f"search_index.{name}"
    index.parent.mkdir()
    page, section = ({"location": place, "tags": ["é"]} for place in ("a/", "a/#b"))
    index.write_text(before + json.dumps({"config": {}, "docs": [page, section]}), "utf-8")
    squeeze(tmp_path)
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
    assert not anchors & {"the-proof", "what-the-probes-saw", "run-it-yourself"}
    text = " ".join(d["text"] for d in mine)
    assert "A Python branch on a tensor breaks the graph." in text
    assert "def symptom" not in text
