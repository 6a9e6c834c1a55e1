"""What a line is worth: prefixes are no part of it, libraries' own code says nothing."""

from __future__ import annotations

import pytest

from validators.match.log_lines import parse_lines

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/user/train.py", line 3, in step
    loss = model(batch)
  File "/env/lib/python3.11/site-packages/torch/_dynamo/eval_frame.py", line 1, in call
    raise recompiled from None
torch._dynamo.exc.Unsupported: call to a builtin
done"""


@pytest.mark.parametrize(
    "prefix",
    [
        "W1122 00:41:00.123000 77 torch/_dynamo/convert_frame.py:844] [0/8] ",
        "[rank0]:V0721 23:40:59.397000 21 torch/_dynamo/guards.py:3006] [1/37] [__recompiles] ",
        "[2024-03-01 10:00:00,000] [0/0] torch._dynamo.convert_frame: ",
    ],
)
def test_what_loggers_write_in_front_is_left_out(prefix: str) -> None:
    """Of old releases and new ones."""
    (line,) = parse_lines([(7, f"{prefix}Recompiling function f")])
    assert (line.number, line.informative) == (7, True)
    assert line.text.removeprefix("torch._dynamo.convert_frame: ") == "Recompiling function f"


def test_frames_and_library_code_tell_nothing() -> None:
    """The user's code and the exception do."""
    told = [line.informative for line in parse_lines(enumerate(TRACEBACK.split("\n"), 1))]
    assert told == [True, False, True, False, False, True, True]
