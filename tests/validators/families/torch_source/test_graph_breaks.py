"""Graph breaks: the registry of a release, and which of its ids the code still prints."""

import pytest

from tests.validators.families.conftest import registry
from validators.errors import CasebookError
from validators.families.torch_source.graph_breaks import REGISTRY, graph_breaks, standard_hints

RAISING = """
def f(self):
    unimplemented(gb_type="A break", context="", explanation="", hints=[])
"""


def test_an_id_is_printed_if_code_raises_its_type(torch_of):
    """The registry keeps the ids of messages that are gone."""
    release = torch_of(
        {
            REGISTRY: registry(GB0001="A break", GB0002="A break that is gone"),
            "_dynamo/one.py": RAISING,
        }
    )
    found = {it.key: (it.printed, it.file) for it in graph_breaks(release)}
    assert found == {"GB0001": (True, "_dynamo/one.py"), "GB0002": (False, "")}


def test_a_break_has_the_words_that_are_raised(torch_of):
    """An entry's history begins with the newest; the code may still raise an older type."""
    history = [
        {"type": "The newer name", "explanation": "New."},
        {"type": "A break", "explanation": "Old {x}.", "context": "{y}", "hints": ["Try."]},
    ]
    release = torch_of({REGISTRY: registry(GB0001=history), "_dynamo/one.py": RAISING})
    (found,) = graph_breaks(release)
    assert (found.format, found.explanation, found.context) == ("A break", "Old {x}.", "{y}")
    assert found.hints == ("Try.",)


def test_a_type_that_nobody_raises_has_its_newest_words(torch_of):
    """They are what the registry shows."""
    release = torch_of({REGISTRY: registry(GB0001=["Newer words", "Older words"])})
    assert [it.format for it in graph_breaks(release)] == ["Newer words"]


@pytest.mark.parametrize(
    "code",
    [
        'kind = "A long kind of break"\nunimplemented(gb_type=kind)',
        'break_with("A long kind of break", gb_type=None)',
        'unimplemented(gb_type=f"A long kind of {what}")',
        'def f(x):\n    g = "A long " + "kind of break"\n    unimplemented(gb_type=g)',
    ],
)
def test_a_type_may_be_computed_or_stand_in_a_variable(torch_of, code):
    """GB4315 stands in a variable on torch 2.15."""
    release = torch_of({REGISTRY: registry(GB4315="A long kind of break"), "_dynamo/one.py": code})
    assert [(it.key, it.printed) for it in graph_breaks(release)] == [("GB4315", True)]


def test_a_registered_type_may_have_holes(torch_of):
    """The code fills them in, or names them otherwise."""
    text = "no getter of {attr_name} here"
    for code in ("no getter of __mro__ here", "no getter of {name} here"):
        raising = f"unimplemented(gb_type=f{code!r})"
        release = torch_of({REGISTRY: registry(GB9672=text), "_dynamo/one.py": raising})
        assert [(it.key, it.printed) for it in graph_breaks(release)] == [("GB9672", True)]


def test_a_type_that_could_be_any_prints_nothing(torch_of):
    """`gb_type=gb_type` hands on what somebody else raises."""
    code = "def f(gb_type):\n    raise_it(gb_type=gb_type)"
    release = torch_of({REGISTRY: registry(GB0001="A break"), "_dynamo/exc.py": code})
    assert [(it.key, it.printed) for it in graph_breaks(release)] == [("GB0001", False)]


def test_a_type_without_an_id_is_known_by_its_words(torch_of):
    """The registry of a release may lag behind its code."""
    release = torch_of({REGISTRY: registry(GB0001="Another one"), "_subclasses/one.py": RAISING})
    found = {it.key: (it.format, it.printed) for it in graph_breaks(release)}
    assert "break" not in found  # too short to be told from others
    longer = RAISING.replace("A break", "A break without an id")
    release = torch_of({"_subclasses/one.py": longer})
    found = {it.key: (it.format, it.printed) for it in graph_breaks(release)}
    assert found["break-without-id"] == ("A break without an id", True)


def test_a_release_without_a_registry_has_no_ids(torch_of):
    """Nothing is made up for torch 2.5."""
    assert list(graph_breaks(torch_of({"_dynamo/one.py": RAISING}))) == []


def test_hints_with_names(torch_of):
    """Torch names those that many breaks share."""
    hints = 'SUPPORTABLE = ["It may " "be possible."]\nOTHER = make()\nTEN = [10]\n'
    release = torch_of({"_dynamo/graph_break_hints.py": hints})
    assert standard_hints(release) == {"SUPPORTABLE": ["It may be possible."], "TEN": []}
    assert standard_hints(torch_of({}, torch="2.5.1")) == {}


def test_a_damaged_registry_is_named(torch_of):
    """With the fix."""
    release = torch_of({REGISTRY: "{"})
    with pytest.raises(CasebookError, match=r"registry\.json: is damaged .* reinstall torch there"):
        list(graph_breaks(release))
