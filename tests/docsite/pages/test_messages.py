"""The pages of what the compiler can say: causes, and openly what is not covered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from docsite.build import site_files
from docsite.pages.messages import message_addresses

from tests.world import World, front
from validators.evidence.examples import ExampleRun, example_digest, write_example
from validators.families import Family, Kind, Said
from validators.families.stored import KindFile, StoredFamily, write_kind

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
def told(world: World) -> dict[str, str]:
    """The pages of a site with these messages."""
    write_messages(world)
    files = site_files(world.load())
    return {path: text for path, text in files.items() if isinstance(text, str)}


def plain(html: str) -> str:
    """The text of a page in one line."""
    return " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", html, flags=re.S).split())


def test_a_message_has_its_causes_with_their_fix(told: dict[str, str]) -> None:
    """The id is in the title; the case's page leads to it."""
    page = told["gb/GB0170/index.html"]
    assert "<title>GB0170: Data-dependent branching · " in page
    text = plain(page)
    assert "Printed by torch 2.13.0 to 2.15.0" in text
    assert "Known causes Branch ● affects 2.13" in text
    assert "Your cause may not be among them." in text
    assert "Hint: Use &lt;b&gt;cond&lt;/b&gt;." in page
    assert 'href="https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html"' in page
    assert 'href="../../gb/GB0170/index.html">GB0170</a>' in told["catalog/branch/index.html"]


def test_a_message_without_a_cause_says_so(told: dict[str, str]) -> None:
    """It is listed all the same, and its page leads elsewhere."""
    text = plain(told["gb/GB0171/index.html"])
    assert "Printed by torch 2.15.0" in text
    assert "No case explains this message yet." in text and "Known causes" not in text
    listed = plain(told["gb/index.html"])
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
    files = {path: str(text) for path, text in site_files(world.load()).items()}
    text = plain(files["gb/GB0171/index.html"])
    assert "Another program breaks ● affects 2.15 It breaks. Fix Write x ." in text
    assert "Because of" in text and "<b>it</b>" not in files["gb/GB0171/index.html"]
    assert "✗ Before y = torch.compile(f)(" in text and "✓ After x = torch.compile(f)(" in text
    assert "Run on torch 2.15: before shows Another break" in text
    assert re.search(r'href="[^"]*GB0171/index\.html">another</a>', files["gb/index.html"])
    twin = files["gb/GB0171/index.html.md"]
    assert "Because of" in twin and twin.count("```python") == 2
    assert not [path for path in files if path.startswith("catalog/another")]
    assert "It is gone." not in plain(files["gb/GB0170/index.html"])


def test_a_message_that_no_program_prints_says_why(world: World) -> None:
    """In place of a cause."""
    write_messages(world)
    world.write("playbooks/illustrations/unreachable.yaml", "GB0171: It is gone.\n")
    text = plain(str(site_files(world.load())["gb/GB0171/index.html"]))
    assert "No program that we know prints this message: It is gone." in text


def test_kinds_are_listed_with_how_many_are_covered(told: dict[str, str]) -> None:
    """Warnings have a list, and no pages of their own."""
    text = plain(told["messages/index.html"])
    assert "Graph breaks Ids that Dynamo gives" in text and "2, 1 of them with a known" in text
    assert "an odd warning that is long enough" in plain(told["messages/warnings/index.html"])
    assert not [it for it in told if it.startswith("messages/warnings/odd")]


def test_names_that_differ_by_case_have_addresses_that_do_not(told: dict[str, str]) -> None:
    """Else one would replace the other where a file system ignores case."""
    pages = [it.casefold() for it in told]
    assert len(pages) == len(set(pages))
    families = [Family(kind="exception", key=it, said=(said(it),)) for it in ("Ab", "aB", "AB")]
    assert [it.split("/")[2] for it in message_addresses(families).values()] == [
        "Ab",
        "aB_",
        "AB__",
    ]


def test_many_causes_are_only_listed(world: World) -> None:
    """Such a message tells little of them."""
    for number in range(14):
        broken = "{id: GB0170, type: Data-dependent branching}"
        world.case(f"case_{number:02}", front(graph_break=broken))
    record(world, "graph_break", GB0170=said("Data-dependent branching"))
    page = str(site_files(world.load())["gb/GB0170/index.html"])
    assert page.count('href="../../catalog/case_') == 14
    assert "cb-cause" not in page


def test_without_recorded_messages_ids_lead_to_their_cases(world: World) -> None:
    """As in a casebook about something else, which has neither ids nor messages."""
    world.case("branch", front(graph_break="{id: GB0170, type: t}"))
    files = site_files(world.load())
    assert "messages/index.html" not in files
    assert 'http-equiv="refresh"' in str(files["gb/GB0170/index.html"])


def test_an_address_of_no_message_is_told(told: dict[str, str]) -> None:
    """Small letters lead to the page, an unknown id to torch's own."""
    html = told["404.html"]
    assert 'data-page="/gb/"' in html and "compile-graph-break-site/gb/{}.html" in html
