"""Numbers in prose that come from evidence."""

from __future__ import annotations

import pytest

from validators.evidence.figures import figure_text, figures, fill, stray_marks

COLUMN = "torch-2.13.0-cpu"
MARK = "<!-- figure one {} torch-2.13.0-cpu -->{}<!-- /figure -->"


@pytest.fixture
def evidence(make_record):
    """One record of the case `one`."""
    symptom = {
        "ops": 577,
        "graph_breaks": [{}, {}],
        "eager": False,
        "none": None,
        "times": {"t": 0.0123456},
        "facts": {"torch.x": {"y.z": "a <b>"}, "torch": 1},
    }
    return {("one", COLUMN): make_record("one", symptom=symptom, remedy=None)}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("symptom.ops", "577"),
        ("symptom.graph_breaks", "2"),
        ("symptom.eager", "no"),
        ("symptom.times.t", "0.0123"),
        ("symptom.facts.torch.x.y.z", "a <b>"),
        ("symptom.facts.torch", "1"),
        ("verdict", "confirmed"),
        ("shows.symptom", "yes"),
        ("fingerprint.python", "3.12.4"),
    ],
)
def test_a_path_names_a_value(evidence, path, text):
    """Lists are counted, floats rounded, booleans said in words; keys may hold dots."""
    assert figure_text(evidence, "one", path, COLUMN) == text


@pytest.mark.parametrize(
    "path",
    ["symptom", "symptom.none", "remedy.ops", "symptom.ops.more", "symptom.facts.x", "", "."],
)
def test_a_path_to_nothing_is_an_error(evidence, path):
    """Whatever is not one number, word or list is nothing to print."""
    with pytest.raises(KeyError):
        figure_text(evidence, "one", path, COLUMN)


def test_figures_are_read_with_their_lines():
    """In order, several in a line, also where the value spans lines."""
    text = f"a\n{MARK.format('x', 1)} {MARK.format('y', '2 ')}\n\n{MARK.format('z', '')}\n"
    found = [(figure.path, figure.value, figure.line) for figure in figures(text)]
    assert found == [("x", "1", 2), ("y", "2 ", 2), ("z", "", 4)]


def test_fill_sets_what_the_evidence_knows(evidence):
    """Known figures are set, unknown ones stay, and filling twice changes nothing."""
    text = f"{MARK.format('symptom.ops', 1)} and {MARK.format('symptom.nothing', 2)}"
    filled = fill(text, evidence)
    assert filled == f"{MARK.format('symptom.ops', 577)} and {MARK.format('symptom.nothing', 2)}"
    assert fill(filled, evidence) == filled


def test_an_unclosed_mark_swallows_nothing(evidence):
    """The prose between a mark without its end and the next figure stays as it is."""
    opening = MARK.format("symptom.ops", 1).removesuffix("<!-- /figure -->")
    text = f"{opening}\n\nProse.\n\n{MARK.format('symptom.ops', 1)}\n<!-- /figure -->\n"
    assert fill(text, evidence) == text.replace("-->1<!-- /fig", "-->577<!-- /fig")
    assert list(stray_marks(text)) == [1, 6]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- figure one symptom.ops -->1<!-- /figure -->",
        "<!--figure one symptom.ops torch-2.13.0-cpu-->1<!-- /figure -->",
        "<!-- figure one symptom.ops torch-2.13.0-cpu -->1<!-- figure -->",
    ],
)
def test_misspelt_marks_are_stray(text):
    """What looks like a mark and is none is found, both halves of it."""
    assert list(stray_marks(text)) == [1, 1]
