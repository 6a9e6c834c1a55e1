"""Which cases are causes of which families."""

from __future__ import annotations

from validators.families import causes_of, load_families
from validators.families.torch_source.found import Found

BREAK = Found(key="GB0156", format="Unsupported method call")
SIZE = Found(
    key="tensor-size",
    format="tensor '{name}' size mismatch at index {i}. expected {size}, actual {size}",
)
PREFIX = "[0/0] [__graph_breaks] "
MESSAGE = """\
[0/0] [__graph_breaks] Graph break in user code at example.py:7
[0/0] [__graph_breaks] Graph Break Reason: Unsupported method call
[0/0] [__graph_breaks]   Explanation: Dynamo cannot trace `get` of class `ContextVar`
[0/0] [__graph_breaks]   Hint: Avoid it.
[0/0] [__graph_breaks]   Developer debug context: call_method get [] {}
"""


def causes(world):
    """How each case causes each family, with what its example printed."""
    families = load_families(world.playbooks)
    return {
        (key, it.case.name): it
        for (_, key), those in causes_of(families, world.repository).items()
        for it in those
    }


def test_a_page_declares_its_graph_break(world):
    """Under each id that has the message."""
    same = Found(key="GB0157", format="Unsupported method call")
    world.record("graph_break", BREAK, same)
    world.case("one", graph_break={"id": "GB0156", "type": "Unsupported method call"})
    found = causes(world)
    assert {name: it.how for name, it in found.items()} == {
        ("GB0156", "one"): "declared",
        ("GB0157", "one"): "declared",
    }
    assert found["GB0156", "one"].lines == ()


def test_an_example_shows_or_prints_a_family(world):
    """The line that shows its symptom is surer than another line that the fix takes away."""
    world.record("graph_break", BREAK)
    world.record("guard", SIZE)
    world.case("one")
    guard = (
        "[0/1] [__recompiles]     - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6"
    )
    world.example("one", MESSAGE + guard, line=guard)
    found = causes(world)
    assert found["tensor-size", "one"].how == "shown"
    assert found["tensor-size", "one"].lines == (guard.partition("- ")[2],)
    assert found["GB0156", "one"].how == "printed"
    assert found["GB0156", "one"].releases == ("2.13.0",)


def test_a_graph_break_is_told_apart_by_what_follows_its_type(world):
    """The type is the same for all its causes, and so are the hints."""
    world.record("graph_break", BREAK)
    world.case("one")
    world.example("one", MESSAGE)
    assert causes(world)["GB0156", "one"].lines == (
        "Explanation: Dynamo cannot trace `get` of class `ContextVar`",
        "Developer debug context: call_method get [] {}",
    )
    world.example("one", f"{PREFIX}Unsupported method call\n", torch="2.15.0")
    assert causes(world)["GB0156", "one"].releases == ("2.13.0", "2.15.0")


def test_what_is_still_printed_after_the_fix_has_another_cause(world):
    """Unless it is the line that shows the symptom: fewer of them are enough of a fix."""
    world.record("graph_break", BREAK)
    world.case("one")
    world.example("one", MESSAGE, MESSAGE)
    assert causes(world) == {}
    world.example("one", MESSAGE, MESSAGE, line=f"{PREFIX}Unsupported method call")
    assert causes(world)["GB0156", "one"].how == "shown"


def test_an_example_that_shows_nothing_counts_for_nothing(world):
    """What it prints where the trouble is gone has another cause."""
    world.record("graph_break", BREAK)
    world.case("one")
    world.example("one", MESSAGE, verdict="refuted")
    assert causes(world) == {}


def test_a_line_that_differs_in_numbers_is_told_once(world):
    """At most three different ones."""
    world.record("guard", SIZE)
    world.case("one")
    rows = [
        f"[0/1] [__recompiles]     - 0/0: tensor '{name}' size mismatch at index {n}. "
        f"expected {n}, actual 9"
        for n, name in enumerate("aabcd")
    ]
    world.example("one", "\n".join(rows))
    lines = causes(world)["tensor-size", "one"].lines
    assert [it.split("'")[1] for it in lines] == ["a", "b", "c"]


def test_a_signature_fits_a_family(world):
    """Of a page without an example, say for a GPU."""
    world.record(
        "cudagraph_skip", Found(key="mutated-inputs", format="mutated inputs ({n} instances)")
    )
    world.case("one", signatures=[r"skipping cudagraphs due to mutated inputs \(\d+ instances\)"])
    world.case("two", signatures=["mutated inputs"])
    retired = r"cudagraphs due to mutated inputs \(1 instances\)"
    world.case("three", signatures=[retired], withdrawn="it is over")
    assert {name: it.how for name, it in causes(world).items()} == {
        ("mutated-inputs", "one"): "signature"
    }


def test_causes_come_surest_first(world):
    """Then by name."""
    world.record("graph_break", BREAK)
    for name in ("a_printed", "b_declared", "c_declared"):
        fields = {"graph_break": {"id": "GB0156", "type": "Unsupported method call"}}
        world.case(name, **(fields if "declared" in name else {}))
    world.example("a_printed", MESSAGE)
    (those,) = causes_of(load_families(world.playbooks), world.repository).values()
    assert [it.case.name for it in those] == ["b_declared", "c_declared", "a_printed"]
