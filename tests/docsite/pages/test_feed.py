"""The Atom feed, read as a feed reader would (RFC 4287)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin
from uuid import UUID
from xml.etree import ElementTree

from docsite.pages.feed import feed

from tests.world import World, entry, front
from validators.cli import cli

from ..test_safety import HOSTILE

ATOM = "{http://www.w3.org/2005/Atom}"


def read(text: str) -> ElementTree.Element:
    """The feed, of which it is sure that it has all that Atom asks for."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{ATOM}feed"
    entries = root.findall(f"{ATOM}entry")
    for it in (root, *entries):
        for name in ("id", "title", "updated"):
            assert len(it.findall(f"{ATOM}{name}")) == 1
        assert UUID(said(it, "id"))
        assert said(it, "updated").endswith("T00:00:00Z")
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    ids = [said(it, "id") for it in (root, *entries)]
    assert len(ids) == len(set(ids))
    return root


def said(element: ElementTree.Element, name: str) -> str:
    """The text of a child."""
    return element.findtext(f"{ATOM}{name}") or ""


def test_changes_come_newest_first_and_say_what_changed(told_world: World) -> None:
    """A belief is never told as if it were true."""
    found = read(feed(told_world.load(), "Ours"))
    entries = found.findall(f"{ATOM}entry")
    assert [(said(it, "title"), said(it, "updated")[:10]) for it in entries] == [
        ("Claim refuted: It is so.", "2026-01-27"),
        ("Belief refuted: A mark is *always* enough.", "2026-01-25"),
        ("Claim introduced: It is so.", "2026-01-25"),
        ("Belief introduced: A mark is *always* enough.", "2026-01-25"),
    ]
    assert said(found, "updated") == "2026-01-27T00:00:00Z"
    summaries = [said(it, "summary") for it in entries]
    assert summaries[1] == (
        "What we saw. True instead: It is `otherwise`. The case is confirmed on torch 2.13.0 (CPU)."
    )
    assert summaries[3] == "What we saw. Refuted since, on 2026-01-25."
    terms = [it.get("term") for it in entries[0].findall(f"{ATOM}category")]
    assert terms == ["memory", "refutes"]


def test_ids_outlive_what_else_is_edited(told_world: World) -> None:
    """A reader would take a new id for a new change."""
    told_world.case("new", front("Also."), area="memory")
    told_world.log("2026-01-28-e", entry("claim: introduces, new: introduces"))
    before = list(_ids(feed(told_world.load(), "Ours")))
    told_world.log("2026-01-27-d", "summary: Other words.\ncases: {claim: refutes}", "# Renamed\n")
    told_world.case("claim", front("It is quite so."), area="memory")
    assert list(_ids(feed(told_world.load(), "Ours"))) == before


def test_what_nothing_confirms_is_not_called_true(told_world: World) -> None:
    """The entry refutes the belief; the case that says so is stale."""
    told_world.record("belief", digest="0000")
    text = feed(told_world.load(), "Ours")
    assert "Claimed instead: It is" in text and "True instead" not in text


def test_a_claim_that_a_nightly_refutes_is_an_item(world: World) -> None:
    """Of the entry that `draft-entry` makes of its column, which lacks only the reasons."""
    world.case("claim", front("It is so."), area="memory")
    world.record("claim", "2.15.0")
    world.record("claim", "2.16.0.dev20261126", verdict="refuted")
    file = world.root / "playbooks" / "logs" / "2026-11-27-nightly.md"
    nightly = "torch-2.16.0.dev20261126-cpu"
    words = ["draft-entry", "--to", nightly, "--out", file, "--date", "2026-11-27"]
    cli.main([*map(str, words), "--catalog", str(world.catalog)], standalone_mode=False)
    (found,) = read(feed(world.load(), "Ours")).findall(f"{ATOM}entry")
    assert said(found, "title") == "Claim refuted: It is so."
    assert said(found, "summary").endswith("is refuted on torch 2.16.0.dev20261126 (CPU).")


def test_hostile_text_is_text(world: World) -> None:
    """Nothing in a summary, a claim or a file's name ends an element or an attribute."""
    hostile = f"{HOSTILE} ]]> &amp; &nbsp; <!-- \ufffe"
    world.case("bad", front(json.dumps(hostile)))
    name = "2026-01-23-\"<a b='c'> & #x"
    world.log(name, f"summary: {json.dumps(hostile)}\ncases: {{bad: introduces}}")
    (found,) = read(feed(world.load(), HOSTILE)).findall(f"{ATOM}entry")
    shown = hostile.replace("\ufffe", "\ufffd")
    assert said(found, "title") == f"Claim introduced: {shown}"
    assert said(found, "summary") == shown
    link = found.findall(f"{ATOM}link")[1].get("href", "")
    assert unquote(link) == f"logs/{name}/index.html"
    assert re.fullmatch(r"[\w./%-]+", link)


def test_without_an_entry_it_is_still_a_feed(world: World) -> None:
    """Readers subscribe before there is anything to read."""
    world.case("one", front())
    assert said(read(feed(world.load(), "Ours")), "updated") == "1980-01-01T00:00:00Z"
    world.log("2026-11-02-a", entry(""))
    assert said(read(feed(world.load(), "Ours")), "updated") == "2026-11-02T00:00:00Z"
    world.log("2026-11-03-a", entry("one: introduces"))
    assert len(read(feed(world.load(), "Ours")).findall(f"{ATOM}entry")) == 1


def test_a_long_feed_keeps_what_is_newest(world: World) -> None:
    """Readers have fetched the rest before."""
    for number in range(40):
        world.case(f"case_{number}", front("It is so."))
    for day in (1, 2):
        told = ", ".join(f"case_{number}: introduces" for number in range(40))
        world.log(f"2026-01-0{day}-a", entry(told))
    found = read(feed(world.load(), "Ours")).findall(f"{ATOM}entry")
    days = [said(it, "updated")[:10] for it in found]
    assert days == ["2026-01-02"] * 40 + ["2026-01-01"] * 20


def test_pages_name_the_feed_and_its_links_lead_to_pages(site: Path) -> None:
    """Relative to where it lies, wherever that is served."""
    found = read((site / "feed.xml").read_text("utf-8"))
    links = [link.get("href", "") for link in found.iter(f"{ATOM}link")]
    assert len(links) > 6
    lost = [link for link in links if not Path(urljoin(f"{site}/feed.xml", link)).is_file()]
    assert lost == []
    for page, place in (("index.html", ""), ("logs/index.html", "../")):
        html = (site / page).read_text("utf-8")
        link = f'<link rel="feed alternate" type="application/atom+xml" href="{place}feed.xml"'
        assert link in html.partition("</head>")[0]
        assert f'<a href="{place}feed.xml"' in html.partition("</head>")[2]


def _ids(text: str) -> Iterator[str]:
    yield from (said(it, "id") for it in read(text).findall(f"{ATOM}entry"))
