"""A page leads to the cases that its reader is likely to need, too."""

from __future__ import annotations

from docsite.pages import related
from docsite.pages.related import related_cases

from tests.world import World, front, page_with_example
from validators.evidence.stored.examples import ExampleRun, write_example

BREAK = "{id: GB0001, type: Unknown call}"
BODY = page_with_example("import torch", "import torch\n")


def told(world: World, name: str) -> list[tuple[str, str]]:
    """The related cases of one, with the reasons."""
    return [(it.case.name, it.why) for it in related_cases(world.load())[name]]


def test_what_a_log_mixes_up_comes_first(world: World) -> None:
    """Then what the page names, then what names the page; each case once, and never itself."""
    world.case(
        "one", front(signatures="['x == 1']"), body=f"{BODY}\nSee `case:cited`, `case:one`.\n"
    )
    world.case("cited", front())
    world.case("rival", front(signatures="['== 1']"), body=f"{BODY}\nNot `case:one`.\n")
    world.case("citing", front(), body=f"{BODY}\nSee `case:one`.\n")
    world.case("gone", front(withdrawn="It was wrong."), body=f"{BODY}\nSee `case:one`.\n")
    run = ExampleRun(verdict="confirmed", digest="d", torch="2.13.0", line="x == 1")
    write_example(world.root / "playbooks/evidence", "one", "torch-2.13.0-cpu", run, ())
    assert told(world, "one") == [
        ("rival", "prints the same line"),
        ("cited", "named above"),
        ("citing", "names this page"),
    ]
    assert told(world, "cited") == [("one", "names this page")]


def test_cases_of_one_graph_break(world: World, monkeypatch) -> None:
    """Are related, and no page names more than a few."""
    for name in ("a", "b", "c"):
        world.case(name, front(graph_break=BREAK), body=BODY)
    same = "the same graph break, GB0001"
    assert told(world, "a") == [("b", same), ("c", same)]
    monkeypatch.setattr(related, "MOST", 1)
    assert told(world, "a") == [("b", same)]
