"""An example for readers: both programs, what differs, and what came of them."""

from __future__ import annotations

from docsite.example import view_of

from tests.world import World, front, page_with_example
from validators.evidence.stored.examples import CaseExamples, ExampleRun, example_digest

BEFORE = "import torch\n\nf = torch.compile(g)\nf(1)"
PAGE = page_with_example(BEFORE, BEFORE.replace("g", "h") + "\nf(2)")
LINE = "[0/0] [__graph_breaks] - Graph Break Reason: `if`"


def test_lines_that_differ_are_marked(world: World) -> None:
    """In both programs, by their number."""
    world.case("a", front(), body=PAGE)
    world.case("b", front())
    cases = world.load().catalog.by_name
    view = view_of(cases["a"], None)
    assert view is not None
    assert (list(view.changed_before), list(view.changed_after)) == ([3], [3, 5])
    assert view.lines.split("\n")[2:] == [
        "-f = torch.compile(g)",
        "+f = torch.compile(h)",
        " f(1)",
        "+f(2)",
    ]
    assert view.seen == ()
    assert view_of(cases["b"], None) is None


def test_what_came_of_it_is_told_by_release(world: World) -> None:
    """Releases that saw the same together; a run of an older example is not told."""
    world.case("a", front(), body=PAGE)
    case = world.load().catalog.by_name["a"]
    now = {"digest": example_digest(case), "torch": ""}
    runs = {
        "torch-2.13.0-cpu": ExampleRun(verdict="confirmed", line=LINE, **now),
        "torch-2.9.1-cpu": ExampleRun(verdict="confirmed", digest="old", torch=""),
        "torch-2.9.0-cpu": ExampleRun(verdict="confirmed", line=LINE, **now),
        "torch-2.11.0-cpu": ExampleRun(verdict="confirmed", line=LINE, **now),
        "torch-2.15.0-cpu": ExampleRun(verdict="refuted", **now),
    }
    view = view_of(case, CaseExamples(runs))
    assert view is not None
    assert [(it.state.key, it.releases) for it in view.seen] == [
        ("refuted", ("2.15.0",)),
        ("confirmed", ("2.9.0", "2.11.0", "2.13.0")),
    ]
    assert "`Graph Break Reason: 'if'`" in view.seen[1].sentence
    assert list(view.ran) == [("refuted", "2.15.0"), ("confirmed", "2.9.0, 2.11.0 to 2.13.0")]
