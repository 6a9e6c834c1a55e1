"""What people write is shown, never run."""

from __future__ import annotations

import json

from docsite.pages import all_pages
from docsite.redirects import redirects
from docsite.render import render_page

from .conftest import World, front, run_docsite

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) "
    "{{ 7*7 }} {% raw %} **bold** `<b>` </div>\n```\nfence\n```\n# no heading"
)


def test_a_hostile_page_is_only_text(world: World) -> None:
    """Front matter, body and file contents reach the browser as text, on every page."""
    quoted = json.dumps(HOSTILE)
    more = {"kind": "retraction", "believed": quoted, "sources": f"[{quoted}]"}
    body = f"\n# <script>alert(4)</script>\n\n## Symptom\n\n{HOSTILE}\n\n<script>alert(5)</script>"
    world.case("bad", front(quoted, **more, aliases="[worse]"), body=body)
    world.record("bad", verdict="error", reason=HOSTILE)
    world.write("skills/s/SKILL.md", f"---\nname: {quoted}\ndescription: {quoted}\n---\n{HOSTILE}")
    run_docsite("build", "--catalog", world.catalog, "--out", world.root / "build", check=True)
    for file in (world.root / "build" / "site").rglob("*.html"):
        html = file.read_text("utf-8")
        assert "<script>alert" not in html, file
        assert "<img src=x" not in html, file
        assert 'href="javascript' not in html, file
    page = (world.root / "build/site/catalog/bad/index.html").read_text("utf-8")
    assert "&#123;{ 7*7 }}" in page or "{{ 7*7 }}" in page
    assert "**bold**" in page.split('class="cb-claim"')[1]
    assert page.count("<h1") == 1


def test_search_words_cannot_hold_markup(world: World) -> None:
    """The theme inserts them as HTML."""
    world.case("one", front("Use `a_b<img src=x>` and `torch.compile`."))
    pages = {page.path: page for page in all_pages(world.load())}
    words = pages["catalog/one/index.html"].words
    assert "torch.compile" in words and "a_b" in words
    assert not any("<" in word for word in words)


def test_a_graph_break_of_two_cases_offers_both(world: World) -> None:
    """Nobody is sent to one of them at random."""
    more = {"graph_break": "{id: GB0170, type: t}"}
    world.case("one", front(**more))
    world.case("two", front(**more))
    html = dict(redirects(world.load()))["gb/gb0170/index.html"]
    assert "http-equiv" not in html
    assert "../../catalog/one/index.html" in html and "../../catalog/two/index.html" in html


def test_a_figure_without_evidence_is_marked_unknown(world: World) -> None:
    """A typed number that no record backs is not shown as a fact."""
    figure = "<!-- figure one symptom.ops torch-2.13.0-cpu -->577<!-- /figure -->"
    world.case("one", front())
    world.write("playbooks/guides/g.md", f"# G\n\n{figure} ops\n")
    pages = {page.path: page for page in all_pages(world.load())}
    assert 'class="cb-figure cb-unknown"' in render_page(pages["guides/g/index.html"])
