"""Dynamo's messages, read back."""

from __future__ import annotations

import pytest

from validators.probes.breaks import break_ids, break_type, parse_break
from validators.probes.places import user_place
from validators.probes.text import clean
from validators.probes.trace import _reasons

URL = "https://meta-pytorch.github.io/compile-graph-break-site/gb"
CHAINED = f"""\
Graph break in user code at /lib/torch/nn/linear.py:27
Graph Break Reason: Failed to handle graph break gracefully. Graph break encountered:

Data-dependent branching
  Explanation: Detected data-dependent branching.
  Hint: Use `torch.cond`.

 For more details about this graph break, please visit: {URL}/gb0170.html

*** While handling this graph break, another graph break occurred: ***

graph break in loop
  Explanation: A graph break in a loop.

  Developer debug context: frame skipped: loop (/home/me/arm.py line 24)

 For more details about this graph break, please visit: {URL}/gb7000.html

Stack variable source attribution:
  somewhere

User code traceback:
  File "/home/me/arm.py", line 40, in <module>
    f(x)
  File "/home/me/arm.py", line 29, in loop
    y = layer(x)
  File "/lib/torch/nn/linear.py", line 27, in forward

Traceback (most recent call last):
  File "/lib/torch/_dynamo/exc.py", line 721, in unimplemented
torch._dynamo.exc.Unsupported: {URL}/gb0001.html
"""
SKIPPED = f"""\
Graph break: torch.compile cannot properly resume from this graph break.
The graph break occurred in the following user code:
  File "/home/me/arm.py", line 7, in f
    yield x

Traceback (most recent call last):
  File "/lib/torch/_dynamo/exc.py", line 721, in unimplemented
torch._dynamo.exc.Unsupported: Generator
  Explanation: It generates.

 For more details about this graph break, please visit: {URL}/gb0042.html
"""


def test_a_chain_names_its_cause_and_its_end() -> None:
    """The last id and type are the break's, the first id is its cause; tracebacks do not count."""
    found = parse_break(CHAINED, True, ("/lib/torch",))
    assert (found.cause_id, found.id) == ("GB0170", "GB7000")
    assert found.type == "graph break in loop"
    assert found.skipped_frame


def test_the_place_is_the_users() -> None:
    """A break inside torch is placed at the line that called into it, without its directory."""
    found = parse_break(CHAINED, False, ("/lib/torch",))
    assert (found.file, found.line) == ("arm.py", 29)
    library = parse_break(CHAINED, False, ("/elsewhere",))
    assert (library.file, library.line) == ("linear.py", 27)


def test_the_standard_library_is_nobodys() -> None:
    """A frame of the standard library is no place, one of an installed package is."""
    import contextlib
    import sysconfig

    stdlib = [(contextlib.__file__, "105"), ("/home/me/arm.py", "7")]
    assert user_place(stdlib, ()) == ("arm.py", 7)
    installed = f"{sysconfig.get_path('stdlib')}/site-packages/transformers/model.py"
    assert user_place([(installed, "3"), *stdlib], ()) == ("model.py", 3)
    assert user_place(stdlib[:1], ()) == ("contextlib.py", 105)


def test_reasons_carry_no_directory() -> None:
    """A reason keeps file names and loses what comes before them."""
    reason = parse_break(CHAINED, False, ()).reason
    assert "(arm.py line 24)" in reason
    assert "/home" not in reason
    assert "https" not in reason


def test_a_skip_without_reason_line_is_read_from_its_exception() -> None:
    """Where Dynamo words a break as a skip, id, type and place are found all the same."""
    found = parse_break(SKIPPED, True, ("/lib/torch",))
    assert (found.id, found.cause_id, found.type) == ("GB0042", "", "Generator")
    assert (found.file, found.line) == ("arm.py", 7)


def test_a_message_without_id() -> None:
    """A break that the registry does not know has empty ids and its first line as type."""
    found = parse_break("Graph Break Reason: something new\n", False, ())
    assert (found.id, found.type, found.file, found.line) == ("", "something new", "", 0)
    assert break_ids("nothing") == ()
    assert break_type("") == ""


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("see /usr/lib/x/arm.py:3", "see arm.py:3"),
        ("# mp/pw/dump.py:47 in forward", "# dump.py:47 in forward"),
        ("run /opt/bin/ptxas -o /tmp/tmpab12cd_9.o", "run ptxas -o tmpID.o"),
        ("___check_obj_id(L['f'], 140234567890123)", "___check_obj_id(L['f'], ID)"),
        (f"visit {URL}/gb0170.html", f"visit {URL}/gb0170.html"),
        ("a / b and a/b", "a / b and a/b"),
        ("object at 0x7f00deadbeef>", "object at ID>"),
    ],
)
def test_clean(text: str, cleaned: str) -> None:
    """Directories and addresses go; web addresses and divisions stay."""
    assert clean(text) == cleaned


def test_one_reason_or_several() -> None:
    """The trace holds one reason bare, several as a list of JSON strings."""
    assert _reasons("0/0: s.i == 0   # x\nUser stack trace:\n y") == ("0/0: s.i == 0 # x",)
    assert _reasons('[\n"0/1: a",\n"0/0: b"\n]') == ("0/1: a", "0/0: b")


def test_a_message_that_is_not_from_the_registry_is_typed_by_its_first_line() -> None:
    """What a data-dependent guard says ends with links, and they name nothing."""
    message = (
        "Could not guard on data-dependent expression Eq(u2, u0) (unhinted: Eq(u2, u0)).\n\n"
        "consider using data-dependent friendly APIs.\n"
        "For more information about this error, see: https://example.org/exportdb"
    )
    assert break_type(message).startswith("Could not guard on data-dependent expression Eq(u2, u0)")
