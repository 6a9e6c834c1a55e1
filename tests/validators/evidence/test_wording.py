"""The words of a log that tell a case: the message alone, short, and each wording once."""

from __future__ import annotations

import pytest

from validators.evidence.wording import LONGEST, PART, cut, message, wordings


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[0/1] [__recompiles]     - 0/0: len(x) == 2     # return x", "len(x) == 2"),
        ("[1/8]    last reason: 1/7: G['n'] == 7", "G['n'] == 7"),
        ("torch._dynamo.exc.Unsupported: a `b`", "Unsupported: a `b`"),
        ("lib/site-packages/torch/a.h:4:10: fatal error: omp.h", "fatal error: omp.h"),
        ('  File "/x/site-packages/torch/a.py", line 3, in f', 'File "torch/a.py", line 3, in f'),
        ("torch.E.OuterError: InnerError: why", "InnerError: why"),
        ("[0/1] [__recompiles]     - 0/0: ", "0/0:"),
    ],
)
def test_a_message_is_without_what_a_log_puts_around_it(line: str, said: str) -> None:
    """Guard numbers, places, the source line, exceptions around the cause."""
    assert message(line) == said


def test_wordings_differ_in_more_than_names_and_numbers() -> None:
    """The longer of two stands for one that is part of it."""
    lines = ["E: 'x' has 3", "E: 'y' has 12", "reason: not so", "not so", "other"]
    assert wordings(lines, []) == ["E: 'x' has 3", "reason: not so", "other"]


def test_a_long_line_is_cut_but_for_what_tells_it() -> None:
    """It keeps its start, in whole words, and what a signature fits."""
    line = f"{'start ' * 30}the cause is known {'end ' * 30}".strip()
    whole, told = cut(line), cut(line, ["no such", "the cause is"])
    assert whole == f"{('start ' * 30)[:LONGEST].rsplit(' ', 1)[0]} …"
    assert told.startswith(whole)
    assert "… the cause is known" in told
    assert len(told) <= LONGEST + PART + 3
    assert cut("short", ["short"]) == "short"
    assert cut("x" * 200) == "x" * LONGEST + " …"


def test_a_sentence_in_quotes_is_a_wording_of_its_own() -> None:
    """It is no name; old releases print whole messages in quotes."""
    lines = ["Unsupported: marked as skipped", "Unsupported: 'skip function f in file a.py'"]
    assert wordings(lines, []) == lines
