"""Each page's Markdown: it says what the page says, and nothing in it is run or drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from docsite import markdown_text
from docsite.build import tree_of
from docsite.prose import Body, Prose
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.world import BODY, World, front, report

from .conftest import copy_of, python_markdown

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
WRITTEN = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("html_block")
"""Reads what people wrote: a line that begins with a tag is still Markdown."""


def markdown_of(world: World, path: str) -> str:
    """What agents read of one page of the repository."""
    return copy_of(world.load(), path)


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("a\n b\n\nc", "a b\n\nc"),
        ("1\\. # - x\n\n\\- y\n\n\\#z", "1\\. # - x\n\n\\- y\n\n\\#z"),
        ("a\\*b_c\\_ <i> &amp;lt; \\[x]", "a\\*b_c\\_ \\<i> \\&lt; \\[x\\]"),
        ("**a** _b_ ~~c~~", "**a** *b* ~~c~~"),
        ("``` a `` b``` `` ` ``", "```a `` b``` `` ` ``"),
        ("````python title\nx\n\n```\n````", "````python\nx\n\n```\n````"),
        ("    x = 1", "```\nx = 1\n```"),
        ("* a\n  + b\n* c\n\n  d", "-   a\n    -   b\n\n-   c\n\n    d"),
        ("3) a\n4) b", "3.  a\n4.  b"),
        ("> a\n>\n> b", "> a\n>\n> b"),
        ("<https://a.b/c>", "[https://a.b/c](https://a.b/c)"),
        ("[a](<https://a.b/c (d)>)", "[a](https://a.b/c%20%28d%29)"),
        ("[a](#x) ![y](z.png)", "[a](#x) \\[image: y\\]"),
        ("<!-- a -->\n<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
        ("# T\n\n## *A* `b`\n\n> # <b>\n\n# C", "## *A* `b`\n\n> # \\<b>\n\n## C"),
        (
            "|a|b|\n|-|-|\n|`x\\|y`|\\||",
            "| a | b |\n| --- | --- |\n| <code>x&#124;y</code> | \\| |",
        ),
        ("---\n\nx", "---\n\nx"),
        ("`<!-- /figure -->` ends [a](#b)", "`<!-- /figure -->` ends [a](#b)"),
    ],
)
def test_prose_is_written_as_it_is_read(body: str, markdown: str) -> None:
    """Its marks stay, its HTML is text, comments go, the first title is the page's own."""
    assert str(prose(body).markdown(as_it_is)) == markdown


def as_it_is(href: str) -> str:
    """Let links lead where they lead."""
    return href


def prose(body: str) -> Body:
    """A body without cases, evidence or other pages."""
    reader = Prose(None, {}, {})  # type: ignore[arg-type]
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
        "| a\\|b | <code>c&#124;d</code> | e f |"
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
    said = "does not affect torch 2.9.1 (CPU); undecided on a GPU."
    said += "\n\n**Since:** Torch 2.11 reads `x` ("
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
        "See [tensor_branch](../tensor_branch/index.html.md), which has [3](../tensor_branch/",
        'index.html.md "symptom.ops of tensor_branch on torch-2.13.0-cpu") ops.',
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
        alternate = '<link rel="alternate describedby" type="text/markdown" href="index.html.md">'
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
                    place = file.parent / url.partition("?")[0]
                    assert place.is_file(), f"{file}: {url}"


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
    tree = tree_of(world.load())
    pages = {path: str(text) for path, text in tree.docs.items() if path.endswith(".md")}
    copies = {path: str(text) for path, text in tree.copies.items()}
    for text in (*pages.values(), *copies.values()):
        assert "\x1b" not in text and "\x07" not in text
    for text in copies.values():
        for token in PARSER.parse(text):
            assert token.type != "html_block"
            for child in token.children or []:
                assert child.type not in ("html_inline", "image"), child
                assert not str(child.attrGet("href") or "").startswith("javascript")
    for text in pages.values():
        said = shown(python_markdown().reset().convert(text.partition("\n---\n")[2]))
        assert not {"img", "u", "object"} & said.tags and "onerror" not in said.attributes
        assert not [it for it in said.links if it.startswith("javascript")]
        assert "alert" not in said.scripts


@dataclass
class Said:
    """What a text says: its words without spaces, its headings, and where its links lead."""

    words: str = ""
    headings: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    scripts: str = ""


def written(body: str) -> Said:
    """What CommonMark reads in `body`: comments say nothing, images their text, HTML itself."""
    said = Said()
    before = ""
    for token in WRITTEN.parse(body):
        line = "" if token.children else token.content
        for child in token.children or []:
            if child.type == "image":
                line += f"[image: {child.content or child.attrGet('src')}]"
            elif child.type == "link_open":
                said.links.append(str(child.attrGet("href")))
            elif child.type != "html_inline" or not child.content.startswith("<!--"):
                line += child.content
        said.words += line
        if before == "heading_open":
            said.headings.append(bare(line))
        before = token.type
    said.words = bare(said.words)
    return said


class _Shown(HTMLParser):
    """Reads what HTML says; the links beside headings say nothing."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said = Said()
        self.heading: str | None = None
        self.inside = ""
        self.feed(html)
        self.close()
        self.said.words = bare(self.said.words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.inside = "headerlink" if found.get("class") == "headerlink" else tag
        if self.inside == "headerlink":
            return
        self.said.tags.add(tag)
        self.said.attributes |= found.keys()
        if tag == "a":
            self.said.links.append(str(found.get("href")))
        if re.fullmatch("h[1-6]", tag):
            self.heading = ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""
        if re.fullmatch("h[1-6]", tag):
            self.said.headings.append(bare(self.heading or ""))
            self.heading = None

    def handle_data(self, data: str) -> None:
        if self.inside == "headerlink":
            return
        if self.inside == "script":
            self.said.scripts += data
        self.said.words += data
        if self.heading is not None:
            self.heading += data


def shown(html: str) -> Said:
    """What a piece of HTML says."""
    return _Shown(html).said


def bare(text: str) -> str:
    """`text` without spaces, and without asterisks: Python-Markdown shows some of an emphasis."""
    return re.sub(r"[\s*]", "", text)


TAGS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "a", "em", "strong", "del", "code", "pre", "div"}
TAGS |= {"ul", "ol", "li", "blockquote", "hr", "span", "br"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"id", "class", "href", "title", "start", "style"}


def says_the_same(body: str) -> None:
    """Ask Python-Markdown, which makes the site, whether it reads what people wrote."""
    before = written(f"xyz\n\n{body}")
    source = str(prose(f"# T\n\nxyz\n\n{body}").markdown(as_it_is))
    after = shown(python_markdown().reset().convert(source))
    assert (after.words, after.headings) == (before.words, before.headings), source
    assert len(after.links) == len(before.links), source
    assert after.tags <= TAGS and after.attributes <= ATTRIBUTES, source


@pytest.mark.parametrize(
    "body",
    [
        "#foo",
        "- #12 is fixed",
        "#######x",
        "## C#",
        "## a \\#",
        "9. a\n10. b",
        "100. a\n101. b",
        "1234567890. x",
        "-\n- a",
        "1.\n2. b",
        "- a\n\n      code\n- b",
        "- a\n  ```\n  b\n  ```\n- c",
        "- a\n\n  > b\n- c",
        "> a\n> - b\n>   c\n\nd",
        "\\<!-- kept -->",
        "&lt;!-- kept",
        "a&<!-- -->lt;b",
        "List<int and",
        "a <b 'c and",
        "`<script>` x",
        "`<!-- x`",
        "`</div>` y",
        "`<?php` y",
        "`<![CDATA[` y",
        "`<textarea>` and `<title>` and `<plaintext>` more",
        "\\<?php x",
        "\\<!DOCTYPE x",
        "~~~ a`\n<script>alert(1)</script>\n~~~",
        "```x:y\n<script>alert(1)</script>\n```",
        "```{.a onclick=b}\nx\n```",
        '```title="x"\nfoo\n```',
        "```onclick=alert(1)\nfoo\n```",
        "- ```\n  a\n\n  <script>alert(1)</script>\n  ```",
        "1. ```py\n   a\n\n   <b>x</b>\n   ```",
        "- > ```\n  > <b>\n  >\n  > x\n  > ```",
        "> - ```\n>   <b>\n>\n>   x\n>   ```",
        "> ```\n> <b>\n>\n> x\n> ```",
        "- - ```\n    <b>\n\n    x\n    ```",
        "<foo:bar>",
        "<xx:a/onfocus=location=name/autofocus/tabindex=1>",
        "<a@b.c>",
        "<http://a.b/\u00fc>",
        "<http://a.b/`x> <http://a.b/`y>",
        "wow\\![a](http://evil/x.png)",
        "wow!<!-- c -->[a](http://evil/x.png)",
        "[TOC]",
        "\\[TOC\\]",
        "[a](http://b/&amp;lt;)",
        '[a](http://b/"q" "t")',
        "[a\\]b](http://b) [`a]`b](http://c)",
        "|a|b|\n|-|-|\n|`x\\|y`|\\||",
        "||\n|-|\n|b|",
        "|a|\n|-|\n|`x\\|![a](http://evil/x.png)`|",
        "|a|\n|-|\n|`x\\|*y* <b> &lt; [z](w) \\\\`|",
        "|a|\n|-|\n|\\`x\\|<script>alert(1)</script>\\`|",
        "<!-- c -->~~~~a~~~~\n\nxx",
        "<!-- c -->- x\n\n<!-- c --># x",
        "a\\\\`b` \\`a`b` `a\\` ``` `` ```",
        "## a {: onclick=alert(1)}\n\nb\n{: .c #d }",
        "!!! note\n    x\n\n??? x\n    y\n\n: a\n\n[^1]: x",
        "<div markdown>\n\n**x**\n\n</div>",
        "</div>\n\n<b>x",
    ],
)
def test_python_markdown_reads_what_people_wrote(body: str) -> None:
    """Its words, headings and links; text does not become a tag or an attribute."""
    says_the_same(body)


PIECES = st.sampled_from(
    [
        *"*_`~[]()<>&#!|\\+-.=:1a \n",
        "\n\n",
        "```",
        "    ",
        "<b>",
        "&lt;",
        "](x:y)",
        "> ",
        "- ",
        "1. ",
        "| a |\n|---|\n",
        "word",
        "http://a.b",
        "<!-- c -->",
        "</div>",
        "<script>",
        "[t](http://c.d)",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_prose_says_the_same_once_more(body: str) -> None:
    """Written as Markdown and read again by Python-Markdown, the words are the same."""
    says_the_same(body)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_agents_read_the_same_once_more(body: str) -> None:
    """So they are to what reads CommonMark."""
    before = written(f"xyz\n\n{body}")
    source = str(prose(f"# T\n\nxyz\n\n{body}").markdown(as_it_is))
    after = written(source)
    assert (after.words, after.headings) == (before.words, before.headings), source


CELLS = [
    "a|b",
    "`a|b",
    "`a|<script>`",
    "\\|x",
    "\\",
    "`",
    "![a](http://evil/x.png)",
    "| --- |",
    "x | *y* | [z](w)",
    "&#124; &lt;",
    "#1",
]


@pytest.mark.parametrize("text", CELLS)
@pytest.mark.parametrize("write", [str, markdown_text.code, markdown_text.inline])
def test_a_row_says_what_its_cells_say(text: str, write: Callable[[str], str]) -> None:
    """Each in a cell of its own, text or code."""
    head, row = markdown_text.table_head(["A", "B"]), markdown_text.row([write(text), "end"])
    html = python_markdown().reset().convert(f"{head}\n{row}")
    cells = re.findall(r"<td>(.*?)</td>", html)
    quoted = write is markdown_text.inline and text.count("`") % 2 == 0
    expected = text.replace("`", "") if quoted else text
    assert [shown(it).words for it in cells] == [bare(expected), "end"], row
    said = shown(html)
    assert said.tags <= {"table", "thead", "tbody", "tr", "th", "td", "code"} and not said.links


VALUES = [
    "#1 x",
    "# x",
    "12345678901. x",
    "--- a",
    "```x",
    "~~~x",
    "a\n\n# b\n```\n<script>alert(1)</script>",
    "wow![a](http://evil/x.png)",
    "<b>x</b> &lt; **x** _x_ [x](y) <http://a.b> \\ `c` ~~d~~",
    "[TOC]",
    "[x]: http://a.b",
    "</p><script>alert(1)</script>",
    "http://a.b/`x http://a.b/`y",
    "http://a.b/[x](y)*z*_w_~~v~~ pytorch/pytorch#1",
    "C#",
    "a|b",
]


@pytest.mark.parametrize("text", VALUES)
@pytest.mark.parametrize("write", ["escape", "inline", "linkify"])
@pytest.mark.parametrize("before", ["", "- ", "-   ", "## ", "x: ", "> "])
def test_a_value_says_what_it_says(text: str, write: str, before: str) -> None:
    """Wherever a template puts it, its words are the same, and none is a tag or a heading."""
    source = f"{before}{getattr(markdown_text, write)(text)}"
    said = shown(python_markdown().reset().convert(source))
    expected = text.replace("`", "") if write == "inline" and text.count("`") % 2 == 0 else text
    assert said.words == bare(("x:" if before == "x: " else "") + expected), source
    assert len(said.headings) == before.startswith("#")
    assert said.tags <= TAGS and (write == "linkify" or not said.links)
