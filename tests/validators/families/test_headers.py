"""Signatures that fit every line of a family."""

from __future__ import annotations

import pytest

from validators.families import telling_signatures, vocabulary_of
from validators.families.torch_source.found import Found

SIZE = "tensor '{name}' size mismatch at index {i}. expected {size}, actual {size}"
BREAK = Found(
    key="GB0156",
    format="Unsupported method call",
    explanation="Dynamo does not know method `{name}` of class `{cls}`",
    context="call_method {self} {name}",
    hints=("Avoid calling it.",),
)
OF = {"id": "GB0156", "type": "Unsupported method call"}


def headers(world):
    """The case, the signature, the sisters, and whether the page knows."""
    found = vocabulary_of(world.repository).headers()
    return [(it.case.name, it.signature, it.sisters, it.told) for it in found]


@pytest.mark.parametrize(
    ("signature", "is_header"),
    [
        ("Unsupported method call$", True),
        ("Explanation: Dynamo does not know method", True),
        (r"method `\S+` of class", True),
        ("Avoid calling it", True),
        ("method `get` of class", False),
        (r"of class `\w+Var`", False),
        ("call_method UserDefinedObjectVariable", False),
    ],
)
def test_a_signature_that_needs_no_hole(world, signature, is_header):
    """It fits whatever torch fills in: then it cannot tell its case from another cause."""
    world.record("graph_break", BREAK)
    world.case("one", graph_break=OF, signatures=[signature])
    world.case("two", graph_break=OF)
    assert headers(world) == ([("one", signature, ("two",), False)] if is_header else [])


def test_numbers_are_filled_in_as_numbers(world):
    """No line has a word for a size, so a pattern of digits fits each."""
    world.record("guard", Found(key="tensor-size", format=SIZE))
    signature = r"size mismatch at index \d+\. expected \d+, actual \d+"
    world.case("one", signatures=[signature, r"size mismatch at index 2\. expected \d+"])
    assert headers(world) == [("one", signature, (), False)]


def test_a_page_may_say_so(world):
    """With patterns of the user's code, or by naming a sister."""
    world.record("graph_break", BREAK)
    header = "Unsupported method call$"
    world.case("one", graph_break=OF, signatures=[header], code=["get"])
    world.case("two", graph_break=OF, signatures=[header], alike={"one": "both are calls"})
    world.case("three", graph_break=OF, signatures=[header], alike={"four": "it is another"})
    world.case("four")
    assert [(name, told) for name, _, _, told in headers(world)] == [
        ("one", True),
        ("three", False),
        ("two", True),
    ]


def test_skips_exceptions_and_warnings_have_headers(world):
    """As logs show them."""
    world.record("cudagraph_skip", Found(key="mutated-inputs", format="mutated inputs"))
    world.record("exception", Found(key="InvalidBackend", format="", file="_dynamo/exc.py"))
    world.record("warning", Found(key="slow-kernel", format="The kernel {x} is slow, very slow"))
    world.case("one", signatures=["skipping cudagraphs due to mutated inputs"])
    world.case("two", signatures=[r"torch\._dynamo\.exc\.InvalidBackend: "])
    world.case(
        "three", signatures=["The kernel .* is slow, very slow", "The kernel mm is slow, very"]
    )
    assert [(name, signature) for name, signature, _, _ in headers(world)] == [
        ("one", "skipping cudagraphs due to mutated inputs"),
        ("two", r"torch\._dynamo\.exc\.InvalidBackend: "),
        ("three", "The kernel .* is slow, very slow"),
    ]


def test_the_signatures_that_tell(world):
    """What a page about a family shows of its causes."""
    world.record("graph_break", BREAK)
    world.case("one", signatures=["Unsupported method call$", "class `ContextVar`"])
    (family,) = vocabulary_of(world.repository).families
    case = world.repository.catalog.by_name["one"]
    assert telling_signatures(case, family) == ["class `ContextVar`"]
