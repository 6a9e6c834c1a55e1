"""A text keeps what holds: whole sentences, items and rows, with the citations that hold."""

from __future__ import annotations

import pytest

from validators.skillpack.pruning import pruned


def kept(text: str) -> str:
    """The text without what cites only cases that are called `bad`."""
    return pruned(text, lambda name: not name.startswith("bad"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- A loop recompiles (`case:good`).", "- A loop recompiles (`case:good`)."),
        ("- A hook breaks (`case:bad`),\n  whatever it does.", ""),
        ("- Count the graphs.", "- Count the graphs."),
        ("| both | `case:good`, `case:bad` |", "| both | `case:good` |"),
        ("| a print | `case:bad` |", ""),
    ],
    ids=["holds", "an item", "no citation", "a row in part", "a row"],
)
def test_items_and_rows(text: str, left: str) -> None:
    """What is left does not touch the lines around."""
    if text.startswith("|"):
        head = "| instead of | case |\n|---|---|\n"
        assert kept(f"{head}{text}\n| x | y |") == f"{head}{left}\n| x | y |".replace("\n\n", "\n")
    else:
        assert kept(f"- First.\n{text}\n- Last.").splitlines() == [
            *["- First.", *left.splitlines(), "- Last."]
        ]


def test_a_sentence_goes_and_its_neighbors_stay() -> None:
    """A sentence needs every group of citations, and of each group one case."""
    text = "One (`case:good`). Two (`case:bad`); three (`case:bad`, `case:good`). Four."
    assert kept(text) == "One (`case:good`). Three (`case:good`). Four.".replace("Three", "three")
    assert kept("Either `case:good` or `case:bad`. More (`case:good`).") == "More (`case:good`)."


def test_what_begins_in_the_middle_begins_with_a_capital() -> None:
    """Its first sentence has gone."""
    assert kept("One (`case:bad`); two (`case:good`).") == "Two (`case:good`)."


def test_a_paragraph_without_a_case_that_holds_goes() -> None:
    """Its other sentences would speak of nothing; those of a step stand alone."""
    assert kept("A.\n\nIt breaks (`case:bad`). Then it is slow.\n\nB.") == "A.\n\n\nB."
    assert kept("1. Look at `case:bad`. Then count.\n2. Stop.") == "1. Then count.\n2. Stop."


def test_code_and_headings_stay() -> None:
    """No citation is in them."""
    text = "# Title\n\n```python\nx = 1  # case:bad\n```\n\n- One (`case:good`)."
    assert kept(text) == text
