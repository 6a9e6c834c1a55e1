"""The pages of what the compiler can say: causes, and openly what is not covered."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from docsite.build import tree_of
from docsite.content import Content
from docsite.links import message_pages

from tests.world import World, front
from validators.evidence.stored.examples import ExampleRun, example_digest, write_example
from validators.families import Family, Kind, Said
from validators.families.stored import KindFile, StoredFamily, write_kind

from ..conftest import copy_of, html_of, source_of

RELEASES: dict[str, dict[str, str]] = {"2.13.0": {}, "2.15.0": {}}


def said(text: str, *on: str, **fields: Any) -> Said:
    """What releases say, all of them if none is named."""
    return Said(format=text, on=on or tuple(RELEASES), **fields)


def record(world: World, kind: Kind, **families: Said | tuple[Said, ...]) -> None:
    """Record families of a kind."""
    stored = {
        key.replace("_", "-") if kind != "exception" else key: StoredFamily(
            said=it if isinstance(it, tuple) else (it,)
        )
        for key, it in families.items()
    }
    write_kind(world.root / "playbooks", kind, KindFile(releases=RELEASES, families=stored))


def write_messages(world: World) -> None:
    """Let the compiler say a few things, one of which a case causes."""
    world.case("branch", front(graph_break="{id: GB0170, type: Data-dependent branching}"))
    world.record("branch")
    hints = ("Use <b>cond</b>.",)
    words = said("Data-dependent branching", explanation="It is `if`.", hints=hints)
    record(world, "graph_break", GB0170=words, GB0171=said("Another break", "2.15.0"))
    record(world, "exception", TooBad=said("TooBad"), Toobad=said("Toobad", "2.13.0"))
    record(world, "warning", odd_warning=said("an odd warning that is long enough"))


ILLUSTRATION = """\
---
prints: [GB0171]
summary: It breaks.
fix: Write `x`.
---
# Another program breaks

Because of <b>it</b>.

## Example

```python title="before"
y = torch.compile(f)(1)
```

```python title="after"
x = torch.compile(f)(2)
```
"""


@pytest.fixture
def told(world: World) -> Content:
    """A repository with these messages."""
    write_messages(world)
    return world.load()


def plain(html: str) -> str:
    """The text of a page in one line."""
    text = re.sub(
        r'<(script|style).*?</\1>|<a class="headerlink".*?</a>|<[^>]*>', " ", html, flags=re.S
    )
    return " ".join(text.split())


def title_of(content: Content, path: str) -> str:
    """What a page is called in its head."""
    return str(json.loads(source_of(content, path).split("\n")[1])["title"])


def test_a_message_has_its_causes_with_their_fix(told: Content) -> None:
    """The id is in the title; the case's page leads to it."""
    assert title_of(told, "gb/GB0170/index.html") == "GB0170: Data-dependent branching"
    page = html_of(told, "gb/GB0170/index.html")
    text = plain(page)
    assert "Printed by torch 2.13.0 to 2.15.0" in text
    assert '<h2 id="branch"><a href="../../catalog/branch/index.html">Branch</a>' in page
    assert "Branch ● affects 2.13 A Python branch" in text
    assert "Not among them?" in text and "No known cause" not in text
    assert "Hint: Use &lt;b&gt;cond&lt;/b&gt;." in page
    assert 'href="https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"' in page
    case = html_of(told, "catalog/branch/index.html")
    assert 'href="../../gb/GB0170/index.html">GB0170</a>' in case


def test_a_message_without_a_cause_says_so(told: Content) -> None:
    """It is listed all the same, and its page leads elsewhere."""
    text = plain(html_of(told, "gb/GB0171/index.html"))
    assert "Printed by torch 2.15.0" in text
    assert "No known cause No case explains this message yet." in text
    assert "Not among them?" not in text
    listed = plain(html_of(told, "gb/index.html"))
    assert "For 1 of 2 a cause is known." in listed and "GB0171 Another break" in listed


def test_an_illustration_is_shown_on_the_page_of_its_message(world: World) -> None:
    """Whole, since it has no page of its own; the list leads there."""
    write_messages(world)
    world.write("playbooks/illustrations/another.md", ILLUSTRATION)
    world.write("playbooks/illustrations/unreachable.yaml", "GB0170: It is gone.\n")
    content = world.load()
    (page,) = content.vocabulary.illustrations
    run = ExampleRun(
        verdict="confirmed", digest=example_digest(page), torch="2.15.0", line="Another break"
    )
    write_example(world.root / "playbooks/evidence", "another", "torch-2.15.0-cpu", run, ())
    world.record("branch", "2.15.0")
    content = world.load()
    html = html_of(content, "gb/GB0171/index.html")
    text = plain(html)
    assert "Another program breaks ● affects 2.15 It breaks. Fix Write x" in text
    assert "Because of" in text and "<b>it</b>" not in html
    assert "Before y = torch . compile ( f )( 1 )" in text
    assert "After x = torch . compile ( f )( 2 )" in text
    assert "Run on torch 2.15: before shows Another break" in text
    assert re.search(
        r'href="[^"]*GB0171/index\.html">another</a>', html_of(content, "gb/index.html")
    )
    twin = copy_of(content, "gb/GB0171/index.html")
    assert "Because of" in twin and twin.count("```python") == 2
    tree = tree_of(content)
    assert not [it for it in [*tree.docs, *tree.copies] if it.startswith("catalog/another")]
    assert "It is gone." not in plain(html_of(content, "gb/GB0170/index.html"))


def test_a_message_that_no_program_prints_says_why(world: World) -> None:
    """In place of a cause."""
    write_messages(world)
    world.write("playbooks/illustrations/unreachable.yaml", "GB0171: It is gone.\n")
    text = plain(html_of(world.load(), "gb/GB0171/index.html"))
    assert "No program that we know prints this message: It is gone." in text


def test_kinds_are_listed_with_how_many_are_covered(told: Content) -> None:
    """Warnings have a list, and no pages of their own."""
    text = plain(html_of(told, "messages/index.html"))
    assert "Graph breaks : Ids that Dynamo gives" in text and "Of 2, 1 have a known cause" in text
    listed = plain(html_of(told, "messages/warnings/index.html"))
    assert "an odd warning that is long enough" in listed
    assert not [it for it in tree_of(told).docs if it.startswith("messages/warnings/odd")]


def test_names_that_differ_by_case_have_addresses_that_do_not(told: Content) -> None:
    """Else one would replace the other where a file system ignores case."""
    pages = [it.casefold() for it in tree_of(told).docs]
    assert len(pages) == len(set(pages))
    families = [Family(kind="exception", key=it, said=(said(it),)) for it in ("Ab", "aB", "AB")]
    assert [it.split("/")[2] for it in message_pages(families).values()] == [
        "Ab",
        "aB_",
        "AB__",
    ]


def test_many_causes_are_only_listed(world: World) -> None:
    """Such a message tells little of them; the first few are told at length."""
    for number in range(14):
        broken = "{id: GB0170, type: Data-dependent branching}"
        world.case(f"case_{number:02}", front(graph_break=broken))
    record(world, "graph_break", GB0170=said("Data-dependent branching"))
    page = html_of(world.load(), "gb/GB0170/index.html")
    assert page.count('href="../../catalog/case_') == 14
    at_length, _, listed = page.partition('<h2 id="more-causes">')
    assert at_length.count("<h2") == 6 and listed.count("<li>") == 8


def test_without_recorded_messages_an_id_is_no_link(world: World) -> None:
    """As in a casebook about something else, which has neither ids nor messages."""
    world.case("branch", front(graph_break="{id: GB0170, type: t}"))
    docs = tree_of(world.load()).docs
    assert "messages/index.md" not in docs and "gb/GB0170/index.html" not in docs
    assert " · GB0170 t" in str(docs["catalog/branch/index.md"])


def test_a_guard_says_in_words_what_failed(world: World) -> None:
    """Its page and the list name the meaning before the pattern that torch prints."""
    write_messages(world)
    record(world, "guard", bool_match=said("{ref} == {val}"))
    world.write("playbooks/guards.yaml", "bool-match: A bool has another value\n")
    docs = tree_of(world.load()).docs
    title = "A bool has another value: … == …"
    assert f"# {title}" in str(docs["messages/guards/bool-match/index.md"])
    assert title in str(docs["messages/guards/index.md"])


def test_the_cause_that_most_users_met_comes_first(world: World) -> None:
    """Whatever it is called; a retraction comes last."""
    broken = "{id: GB0170, type: Data-dependent branching}"
    for name, kind in (("a_rare", "limitation"), ("b_met", "limitation")):
        world.case(name, front(graph_break=broken, kind=kind))
    world.case("a_belief", front(graph_break=broken, kind="retraction", believed="x"))
    logs = [{"expect": ["b_met"]}, {"expect": ["a_belief"]}, {"expect": ["a_belief"]}]
    lines = "".join(f"{json.dumps(log)}\n" for log in logs)
    world.write("playbooks/judged/user_logs.jsonl", lines)
    record(world, "graph_break", GB0170=said("Data-dependent branching"))
    page = str(tree_of(world.load()).docs["gb/GB0170/index.md"])
    places = [page.index(f"catalog/{name}/") for name in ("b_met", "a_rare", "a_belief")]
    assert places == sorted(places)
