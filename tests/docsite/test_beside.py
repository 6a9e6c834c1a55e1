"""Each page's Markdown: it says what the page says, and nothing in it is run or drawn."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from docsite.beside import as_markdown
from docsite.page import Page
from docsite.pages import all_pages
from docsite.prose import Prose
from docsite.render import render_page
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.world import BODY, World, front, report

PAGE = Page("catalog/one/index.html", "One", "", {})
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def written(html: str, *pages: str) -> str:
    """The Markdown of a page whose source is this HTML."""
    return as_markdown(f"---\ntitle: x\n---\n{html}", PAGE, pages)


def markdown_of(world: World, path: str) -> str:
    """The Markdown of one page of the repository."""
    pages = {page.path: page for page in all_pages(world.load())}
    return as_markdown(render_page(pages[path]), pages[path], pages)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a\n b</p><p>c</p>", "a b\n\nc"),
        ("<p>a\n# b\n## c {: x }</p>", "a # b ## c {: x }"),
        ("<p>1. # - x</p><p>- y</p><p>#z</p>", "1\\. # - x\n\n\\- y\n\n\\#z"),
        ("<p>a*b_c_ &lt;i&gt; &amp;lt; [x]</p>", "a\\*b_c\\_ \\<i> \\&lt; \\[x\\]"),
        ("<p><b> a</b> <em>b</em> <del>c</del></p>", "**a** *b* ~~c~~"),
        ("<p><code>a `` b</code> <code>`</code></p>", "```a `` b``` `` ` ``"),
        (
            '<div class="language-python highlight"><pre><b>x</b>\n\n```\n</pre></div>',
            "````python\nx\n\n```\n````",
        ),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol><li><p>a</p></li><li>b</li></ol>", "1. a\n2. b"),
        (
            "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd><ul><li>d</li></ul></dd></dl>",
            "- **a**: b\n- **c**:\n  - d",
        ),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<details><summary>s</summary><p>x</p></details>", "**s**\n\nx"),
        ('<p><a href="https://a.b/c">https://a.b/c</a></p>', "<https://a.b/c>"),
        ('<p><a href="a.json">a.json</a></p>', "[a.json](a.json)"),
        ('<p><a href="../two/index.html#x">t</a></p>', "[t](../two/index.html.md)"),
        ('<p><a href="../two/index.html?a=b">t</a></p>', "t"),
        ('<p><a href="a (b).html">t</a></p>', "[t](a%20%28b%29.html)"),
        ('<nav>n</nav><form>f</form><p hidden>h</p><p>x<i aria-hidden="true">y</i></p>', "x"),
        (
            '<figure><figcaption>t</figcaption><svg role="img" aria-label="t: 1"><path d="M0 0"/>'
            "<text>1</text></svg></figure>",
            "t: 1",
        ),
        ("## T &#42; <code>c</code> {: data-search-exclude }\n\n<p>x</p>", "## T \\* `c`\n\nx"),
        ("## Empty {: x }\n\n<nav>x</nav>\n\n## Full {: x }\n\n<p>x</p>", "## Full\n\nx"),
        ("<pre><code># no heading\n## {: x }\n</code></pre>", "```\n# no heading\n## {: x }\n```"),
    ],
)
def test_each_element_has_its_markdown(html: str, markdown: str) -> None:
    """What the templates and Markdown's own renderer write."""
    assert written(html, "catalog/two/index.html") == markdown + "\n"


TABLE = """
<table><caption>c</caption><thead>
<tr><td rowspan="2"></td><th colspan="2">CPU</th></tr><tr><th>2.11</th><th>2.13</th></tr></thead>
<tbody><tr><th colspan="3">all</th></tr>
<tr><th>a|b</th><td colspan="2">x<ul><li>y</li><li>z</li></ul></td></tr></tbody></table>
"""


def test_tables_are_written_out() -> None:
    """Spans are repeated, header rows joined, lists within a cell stand in its line."""
    assert written(TABLE).split("\n")[:4] == [
        "|  | CPU 2.11 | CPU 2.13 |",
        "| --- | --- | --- |",
        "| all |  |  |",
        "| a\\|b | x; y; z | x; y; z |",
    ]


def test_the_verdicts_of_a_case_stand_line_by_line(world: World) -> None:
    """A case's environments go down the page, each with all that is known of it."""
    world.case("one", front())
    world.record("one")
    world.record("one", "2.15.0")
    text = markdown_of(world, "catalog/one/index.html")
    assert re.search(r"^\| CPU torch 2.13.0 \| \*\*confirmed\*\* \| confirmed \| 2026", text, re.M)
    assert re.search(r"^\| CUDA .* \| \*\*undecided\*\* \|", text, re.M)


def test_a_case_is_told_in_words(site: Path) -> None:
    """Claim, status, prose, what was counted and the whole proof; no HTML, no way around."""
    text = (site / "catalog/unbacked_dim/index.html.md").read_text("utf-8")
    for said in (
        "# `mark_unbacked` keeps a dim of one\n",
        "Confirmed on torch 2.15.0 (CPU); refuted on torch 2.13.0 (CPU); undecided on CUDA.",
        "> With `mark_unbacked` a dim of size 1 is not specialized.",
        "**Believed:** ~~Marking a dim `dynamic` is always enough.~~",
        "## Remedy\n\nUse `torch.where`.",
        "See [tensor_branch](../tensor_branch/index.html.md), which has 3 ops.",
        "```python\nimport torch\n",
        "On torch 2.15.0 (CPU): symptom 1; remedy 0.",
        "python -m validators run unbacked_dim",
    ):
        assert said in text, said
    assert not re.search(r"</?(p|div|span|td|code|a|svg)\b", text)
    assert "Casebook" not in text and "Previous" not in text


def test_every_page_has_its_markdown_and_names_it(site: Path) -> None:
    """Beside its HTML, linked in the head for programs and at the end for people."""
    sources = sorted((site.parent / "docs").rglob("*.md"))
    assert len(sources) > 12
    for source in sources:
        page = site / source.relative_to(site.parent / "docs").with_suffix(".html")
        html = page.read_text("utf-8")
        alternate = '<link rel="alternate " type="text/markdown" href="index.html.md">'
        assert alternate in html.partition("</head>")[0]
        assert '<a href="index.html.md">' in html
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
        made = as_markdown(source, page, [])
        assert "\x1b" not in source and "\x07" not in source
        assert "\x1b" not in made and "\x07" not in made
        for token in PARSER.parse(made):
            assert token.type != "html_block"
            for child in token.children or []:
                assert child.type not in ("html_inline", "image"), child
                assert not str(child.attrGet("href") or "").startswith("javascript")


def words(html: str) -> str:
    """The letters and signs of a rendered text; headings are Markdown still."""
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
    """Written as HTML, read back as Markdown and rendered again, the words are the same."""
    prose = Prose(None, {}, Path(), {})  # type: ignore[arg-type]
    html = prose.render(f"# T\n\nx\n\n{body}", Path("x.md"), 1, PAGE.path)
    made = written(html)
    again = prose.render(f"# T\n\n{made}", Path("x.md"), 1, PAGE.path)
    assert words(html) == words(again), made
