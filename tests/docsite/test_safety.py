"""What people write is shown, never run."""

from __future__ import annotations

import json
import os
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.world import World, front, report
from validators.probes.report import Caught

from .conftest import built, html_of, refusal, run_docsite

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) "
    "{{ 7*7 }} {% raw %} **bold** `<b>` </div>\n```\nfence\n```\n# no heading"
    '\n~~~ a`\n</title>"><script>alert(8)</script> " onclick=alert(9) \' onload=alert(9) <!--\n~~~'
)


ATTRIBUTES = "{: onclick=alert(1) .x #y } <script>alert(2)</script>"
ENTRY = "2026-01-23-<img src=x onerror=alert(7)>"


def write_hostile_case(world: World) -> None:
    """A case, a source and a skill whose every text is an attack."""
    quoted = json.dumps(HOSTILE)
    more = {"kind": "retraction", "believed": quoted, "sources": f"[{quoted}]"}
    body = f"\n# <script>alert(4)</script>\n\n## Symptom\n\n{HOSTILE}\n\n<script>alert(5)</script>"
    world.case("bad", front(quoted, **more, aliases="[worse]"), body=body)
    world.record("bad", verdict="error", reason=HOSTILE)
    listed = {"claim": HOSTILE, "claimed": HOSTILE, "because": HOSTILE}
    entry = {"at": [1], **listed, "undecidable": "judgement"}
    source = {"title": HOSTILE, "about": HOSTILE, "lines": 1, "sha256": "a" * 64}
    text = json.dumps(source | {"entries": [entry]})
    world.write("playbooks/sources/bad.yaml", f"---\n{text}\n")
    first = json.dumps({"first": [{"case": "bad", "why": HOSTILE}]})
    world.write("playbooks/first_on_gpu.yaml", f"---\n{first}\n")
    world.write("skills/s/SKILL.md", f"---\nname: {quoted}\ndescription: {quoted}\n---\n{HOSTILE}")


def write_hostile_log(world: World) -> None:
    """Names of entries, their summaries and titles, wherever history is told."""
    quoted = json.dumps(HOSTILE)
    world.case("told", front(quoted, kind="retraction", believed=quoted))
    world.record("told")
    world.case("over", front("x", withdrawn=quoted))
    world.write("playbooks/guides/g.md", "# G\n\n`case:over`\n")
    title = f"# <script>alert(6)</script> {HOSTILE.split(chr(10))[0]}\n"
    world.log(ENTRY, f"summary: {quoted}\ncases: {{told: introduces}}", title)
    more = f"supersedes: {ENTRY}\nevidence: [torch-2.13.0-cpu]"
    later = f"summary: {quoted}\ncases: {{told: refutes}}\n{more}"
    world.log("2026-01-24-b", later, title)


def write_hostile_headings(world: World) -> None:
    """Attribute lists in headings, and a file of prose whose name is markup."""
    body = f"\n# T {ATTRIBUTES}\n\n## Symptom {ATTRIBUTES}\n\ntext\n\n### More {ATTRIBUTES}\n"
    world.case("headed", front(), body=body)
    guide = "playbooks/guides/<b onclick=alert(3)> & 'c'.md"
    world.write(guide, f"# G {ATTRIBUTES}\n\ntext\n")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a repository in which every text that people write is an attack."""
    world = World(tmp_path_factory.mktemp("hostile"))
    world.catalog.mkdir(parents=True)
    for write in (write_hostile_case, write_hostile_log, write_hostile_headings):
        write(world)
    return built(world)


def test_no_text_becomes_markup(hostile: Path) -> None:
    """Front matter, bodies, logs, names and file contents reach every page and the feed as text."""
    pages = [*hostile.rglob("*.html"), hostile / "feed.xml"]
    assert {"bad", "headed", ENTRY} <= {page.parent.name for page in pages}
    for file in pages:
        text = file.read_text("utf-8")
        for attack in ("<script>alert", "<img src=x", 'href="javascript'):
            assert attack not in text, file


class _Attributes(HTMLParser):
    """Collects the names of the attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {name for name, _ in attrs}


def test_no_text_becomes_an_attribute(hostile: Path) -> None:
    """Neither an attribute list in a heading nor a file's name adds one to a tag."""
    for file in hostile.rglob("*.html"):
        found = _Attributes(file.read_text("utf-8")).names
        assert not {it for it in found if it.startswith("on")}, file


def test_hostile_text_is_shown_as_it_was_written(hostile: Path) -> None:
    """Neither Jinja nor Markdown reads a claim, and a page keeps its one title."""
    page = (hostile / "catalog/bad/index.html").read_text("utf-8")
    assert "&#123;{ 7*7 }}" in page or "{{ 7*7 }}" in page
    assert "**bold**" in page.split('id="the-exact-claim"')[1]
    assert page.count("<h1") == 1


FENCES = (
    "boom\n```\nx <b>\n```\n~~~ py\n&lt; *y*\n~~~\n\n    a\n\n</pre></details>\n# c\n| d |\n[e](f)"
)


def test_what_stands_in_html_is_not_markdown(world: World) -> None:
    """Neither fences nor headings begin in what an exception says, or in a fix."""
    world.case("one", front(fix=json.dumps(FENCES)))
    world.record("one", symptom=report(exception=Caught("torch.E", FENCES, 1)))
    page = html_of(world.load(), "catalog/one/index.html")
    (said,) = re.findall(r'<pre tabindex="0">(.*?)</pre>', page, re.DOTALL)
    assert unescape(said) == f"torch.E in call 1\n{FENCES}"
    (fix,) = re.findall(r'<p class="cb-fix">(.*?)</p>', page, re.DOTALL)
    told = unescape(re.sub("<[^>]*>", "", fix))
    assert " ".join(told.split()).startswith(" ".join(f"Fix {FENCES}".replace("`", "").split()))
    assert page.count("<h1") == 1 and '<div class="highlight"><pre><span></span><code>&' not in page


def test_a_figure_without_evidence_is_marked_unknown(world: World) -> None:
    """A typed number that no record backs is not shown as a fact."""
    figure = "<!-- figure one symptom.ops torch-2.13.0-cpu -->577<!-- /figure -->"
    world.case("one", front())
    world.write("playbooks/guides/g.md", f"# G\n\n{figure} ops\n")
    assert "<del>577</del> (undecided) ops" in html_of(world.load(), "guides/g/index.html")


NESTED = {
    "quotes": ">" * 17 + "x",
    "brackets": "[" * 10_000,
    "images": "![" * 10_000,
    "emphasis": "*a _b " * 7_000,
    "lists": "\n".join(" " * (2 * depth) + "- a" for depth in range(7)),
    "ticks": "".join("`" * size + "x" for size in range(1, 300)),
    "table": "|a" * 5000 + "\n" + "|-" * 5000 + "\n" + "|b" * 5000,
}


def test_deep_and_wide_markdown_is_rendered_in_a_moment(world: World) -> None:
    """Each page nests what Markdown can nest, deeper than a parser's stack."""
    for name, text in NESTED.items():
        body = f"\n# {name}\n\n## Symptom\n\n{text}\n\n## Why\n\nend of {name}\n"
        world.case(name, front(), body=body)
    site = built(world)
    for name in NESTED:
        assert f"end of {name}" in (site / f"catalog/{name}/index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "text", [">" * 20 + "x", ">" * 40_000 + "x", "- " * 10 + "x", "- " * 300 + "x"]
)
def test_blocks_too_deep_to_be_shown_are_named(world: World, text: str) -> None:
    """The parser would leave out all that follows them."""
    world.case("one", front(), body=f"\n# One\n\n## Symptom\n\n{text}\n\n## Why\n\nBecause.\n")
    said = refusal(world)
    assert "one.md:12: nests deeper than the site can show; flatten it" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "report", [{"graphs": 5}, {"graph_breaks": [{}]}, {"calls": ["x"]}, {"times": {"t": "x"}}]
)
def test_a_report_that_no_probe_wrote_is_one_sentence(world: World, report: dict) -> None:
    """Somebody edited the evidence; the case, the column and the remedy are said."""
    world.case("one", front())
    world.record("one", symptom=report)
    said = refusal(world)
    assert "one in torch-2.13.0-cpu: its symptom is not a probe's report (" in said
    assert "\n" not in said


def test_damaged_evidence(world: World) -> None:
    """Committed, it fails the build with every file; a machine's own only lacks its records."""
    world.case("one", front())
    world.record("one")
    world.case("two", front())
    world.record("two")
    world.record("one", "2.14.0", folder="build/evidence")
    out = ["--catalog", world.catalog, "--out", world.root / "build"]
    out += ["--evidence", world.root / "build/evidence"]
    world.write("build/evidence/reports/one.json", "damage\n")
    done = run_docsite("build", *out, check=True)
    assert "build/evidence/reports/one.json: is not a case's reports" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "2.13.0 (CPU)" in (world.root / "build/docs/catalog/one/index.md").read_text("utf-8")
    for name in ("one", "two"):
        world.write(f"playbooks/evidence/verdicts/{name}.json", "<<<<<<< ours\n")
    done = run_docsite("build", *out)
    assert done.returncode == 2 and done.stderr.count(": is not a case's evidence") == 2


def test_prose_that_is_no_text_is_one_sentence_each(world: World) -> None:
    """A pipe, a folder, another encoding and an alias bomb beside a healthy catalog."""
    world.case("one", front())
    guides = world.root / "playbooks" / "guides"
    (guides / "folder.md").mkdir(parents=True)
    os.mkfifo(guides / "pipe.md")
    (guides / "latin.md").write_bytes(b"# \xe9\n")
    world.write("skills/s/SKILL.md", "---\na: &a [x]\nname: [*a, *a]\n---\n")
    lines = refusal(world)
    assert lines.count("\n") == 3
    for said in (
        "folder.md: cannot be",
        "pipe.md: cannot be",
        "latin.md:1: is not",
        "SKILL.md:1: rep",
    ):
        assert said in lines


def test_pages_and_proofs_that_cannot_be_read_are_one_sentence_each(world: World) -> None:
    """The build neither hangs nor stops at the first; nothing is written in their place."""
    world.case("one", front())
    area = world.catalog / "graph_breaks"
    broken = {
        "bomb.md": b"---\na: &a [x]\nb: [*a, *a]\n---\n",
        "deep.md": b"---\na: " + b"[" * 30_000 + b"\n---\n",
        "huge.md": b"x" * 10_000_000,
        "latin.md": b"---\na: b\n---\n\xe9",
        "<img src=x>.md": b"---\n" + front().encode() + b"\n---\n# T\n",
        "deep.py": b"-" * 100_000 + b"1",
        "null.py": b"x = 1\0",
    }
    for name in ("pipe", "folder", "null", "deeper"):
        world.case(name, front())
    for name, raw in broken.items():
        (area / name).write_bytes(raw)
    (area / "deep.py").rename(area / "deeper.py")
    for name, make in (("pipe.md", os.mkfifo), ("folder.py", os.mkdir)):
        (area / name).unlink()
        make(area / name)
    lines = refusal(world).split("\n")
    for name in (*broken, "pipe.md", "folder.py"):
        place = f"/{name.replace('deep.py', 'deeper.py')}:"
        assert sum(place in line for line in lines) >= 1, name
    assert not (world.root / "build").exists()
