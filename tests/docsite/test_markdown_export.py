"""Each page's Markdown: it says what the page says, and nothing in it is run or drawn."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from docsite import markdown_text
from docsite.all_pages import all_pages
from docsite.markdown_export import page_markdown
from docsite.prose import Body, Prose
from docsite.render import render_page
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.world import BODY, World, front, report

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown_of(world: World, path: str) -> str:
    """The Markdown of one page of the repository."""
    pages = {page.path: page for page in all_pages(world.load())}
    return page_markdown(pages[path], pages)


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("a\n b\n\nc", "a b\n\nc"),
        ("1\\. # - x\n\n\\- y\n\n\\#z", "1\\. # - x\n\n\\- y\n\n#z"),
        ("a\\*b_c\\_ <i> &amp;lt; \\[x]", "a\\*b_c\\_ \\<i> \\&lt; \\[x\\]"),
        ("**a** _b_ ~~c~~", "**a** *b* ~~c~~"),
        ("``` a `` b``` `` ` ``", "```a `` b``` `` ` ``"),
        ("````python title\nx\n\n```\n````", "````python\nx\n\n```\n````"),
        ("    x = 1", "```\nx = 1\n```"),
        ("* a\n  + b\n* c\n\n  d", "- a\n  - b\n- c\n\n  d"),
        ("3) a\n4) b", "3. a\n4. b"),
        ("> a\n>\n> b", "> a\n>\n> b"),
        ("<https://a.b/c>", "<https://a.b/c>"),
        ("[a](<https://a.b/c (d)>)", "[a](https://a.b/c%20%28d%29)"),
        ("[a](#x) ![y](z.png)", "[a](#x) \\[image: y\\]"),
        ("<!-- a -->\n<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
        ("# T\n\n## *A* `b`\n\n> # <b>\n\n# C", "## *A* `b`\n\n> # \\<b>\n\n## C"),
        ("|a|b|\n|-|-|\n|`x\\|y`|\\||", "| a | b |\n| --- | --- |\n| `x\\|y` | \\| |"),
        ("---\n\nx", "---\n\nx"),
    ],
)
def test_prose_is_written_as_it_is_read(body: str, markdown: str) -> None:
    """Its marks stay, its HTML is text, comments go, the first title is the page's own."""
    assert str(prose(body).markdown) == markdown


def prose(body: str) -> Body:
    """A body without cases, evidence or other pages."""
    reader = Prose(None, {}, Path(), {})  # type: ignore[arg-type]
    return reader.read(body, Path("x.md"), 1, "catalog/one/index.html")


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a*b_c_ <i> &lt; [x]", "a\\*b_c\\_ \\<i> \\&lt; \\[x\\]"),
        ("# - x", "\\# - x"),
        ("- y", "\\- y"),
        ("1. z\n\n2. z", "1\\. z 2. z"),
        ("2.13.0", "2.13.0"),
        ("> q", "\\> q"),
        ("--- 2026-01-01", "\\--- 2026-01-01"),
    ],
)
def test_a_value_is_only_text(text: str, markdown: str) -> None:
    """Nothing in it begins a list, a heading, a quote or a paragraph of its own."""
    assert str(markdown_text.escape(text)) == markdown


def test_a_row_of_a_table_stays_one() -> None:
    """A bar does not end a cell, and neither does a line."""
    assert markdown_text.row(["a|b", markdown_text.code("c|d"), "e\nf"]) == (
        "| a\\|b | `c\\|d` | e f |"
    )


def test_the_news_of_a_case_comes_first(world: World) -> None:
    """What it means on the newest release, then every verdict in one sentence."""
    world.case("one", front())
    world.record("one")
    world.record("one", "2.15.0", verdict="refuted")
    text = markdown_of(world, "catalog/one/index.html")
    said = "Affects torch 2.13.0 (CPU); fixed since torch 2.15.0 (CPU); undecided on a GPU."
    assert text.startswith(f"# One\n\n**fixed in 2.15**. {said}\n")


def test_what_brought_a_symptom_is_named(world: World) -> None:
    """With its code and its pull request, beside the ranges."""
    world.case("one", front(since="Torch 2.11 reads `x` (pytorch/pytorch#12)."))
    world.record("one", "2.9.1", verdict="refuted")
    world.record("one", "2.11.0")
    said = (
        "does not affect torch 2.9.1 (CPU); undecided on a GPU. **Since:** Torch 2.11 reads `x` ("
    )
    url = "https://github.com/pytorch/pytorch/issues/12"
    assert f"{said}[pytorch/pytorch#12]({url}))." in markdown_of(world, "catalog/one/index.html")


def test_a_case_is_told_in_words(site: Path) -> None:
    """Claim, status, prose, what was counted and where the proof is; no HTML, no way around."""
    text = (site / "catalog/unbacked_dim/index.html.md").read_text("utf-8")
    for said in (
        "# `mark_unbacked` keeps a dim of one\n",
        "Belief false on torch 2.15.0 (CPU); not shown on torch 2.13.0 (CPU); undecided on a GPU.",
        "> With `mark_unbacked` a dim of size 1 is not specialized.",
        "**Believed:** ~~Marking a dim `dynamic` is always enough.~~",
        "## Remedy\n\nUse `torch.where`.",
        "See [tensor_branch](../tensor_branch/index.html.md), which has 3 ops.",
        "(unbacked_dim.py.txt)",
        "On torch 2.15.0 (CPU): symptom 1; remedy 0.",
        "casebook run unbacked_dim",
    ):
        assert said in text, said
    assert not re.search(r"</?(p|div|span|td|code|a|svg)\b", text)
    assert "Casebook" not in text and "Previous" not in text


def test_every_page_has_its_markdown_and_names_it(site: Path) -> None:
    """Beside its HTML, linked in the head for programs and at the end for people."""
    pages = [it for it in site.rglob("*.html") if 'name="robots"' not in it.read_text("utf-8")]
    assert len(pages) > 20
    for page in pages:
        html = page.read_text("utf-8")
        named = page.name != "404.html"
        alternate = '<link rel="alternate" type="text/markdown" href="index.html.md">'
        assert (alternate in html.partition("</head>")[0]) == named
        assert ('<a href="index.html.md">' in html) == named
        if named:
            assert page.with_name("index.html.md").read_text("utf-8").startswith("# ")


def test_links_of_the_markdown_lead_somewhere(site: Path) -> None:
    """To other pages' Markdown, and to files that are there."""
    for file in site.rglob("*.md"):
        for token in PARSER.parse(file.read_text("utf-8")):
            for child in token.children or []:
                url = str(child.attrGet("href") or "")
                if url and not re.match(r"[a-z]+:|#", url):
                    assert (file.parent / url).is_file(), f"{file}: {url}"


HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) "
    "\x1b]0;owned\x07 &lt;b&gt; <!-- c --> \\<u>"
)


def test_hostile_content_is_only_text(world: World) -> None:
    """No HTML comes through that a renderer of Markdown would run, and no terminal is driven."""
    text = HOSTILE.replace("\x1b", "").replace("\x07", "")
    world.case(
        "bad", front("'<img src=x> `<b>` [x](javascript:1)'"), body=BODY.format(title=text) + text
    )
    world.record("bad", verdict="error", reason=HOSTILE, remedy=report(facts={HOSTILE: "\x1b[2J"}))
    for page in all_pages(world.load()):
        source = render_page(page)
        made = page_markdown(page, [])
        assert "\x1b" not in source and "\x07" not in source
        assert "\x1b" not in made and "\x07" not in made
        for token in PARSER.parse(made):
            assert token.type != "html_block"
            for child in token.children or []:
                assert child.type not in ("html_inline", "image"), child
                assert not str(child.attrGet("href") or "").startswith("javascript")


def words(html: str) -> str:
    """The letters and signs of a rendered text."""
    return re.sub(r"[\s#]", "", unescape(re.sub(r"<[^>]*>", "", html)))


PIECES = st.sampled_from(
    [
        *"*_`~[]()<>&#!|\\+-.=:1a \n",
        "\n\n",
        "```",
        "    ",
        "<b>",
        "&lt;",
        "](x)",
        "> ",
        "- ",
        "1. ",
        "| a |\n|---|\n",
        "word",
        "http://a.b",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_prose_says_the_same_once_more(body: str) -> None:
    """Written as Markdown and read again, the words are the same."""
    once = prose(f"# T\n\nx\n\n{body}")
    again = prose(f"# T\n\n{once.markdown}")
    assert words(once.html) == words(again.html), once.markdown
