"""A command that works in silence says now and then what it does."""

from __future__ import annotations

import io
import time

import pytest

from validators import waiting
from validators.waiting import Waiting


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Always."""
        return True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence of some milliseconds is long."""
    monkeypatch.setattr(waiting, "SILENT_SECONDS", 0.08)


def test_what_is_quick_says_nothing() -> None:
    """Most commands are."""
    stream = io.StringIO()
    with Waiting("reading", stream):
        pass
    assert stream.getvalue() == ""


def test_silence_is_broken_with_what_is_done_now() -> None:
    """A line each time; the text may change."""
    stream = io.StringIO()
    with Waiting("reading", stream) as life:
        time.sleep(0.3)
        life.doing = "writing"
        time.sleep(0.3)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "--- reading (0 s)"
    assert lines[-1] == "--- writing (1 s)" or lines[-1] == "--- writing (0 s)"


def test_what_prints_otherwise_is_left_alone() -> None:
    """Its own lines are signs of life."""
    stream = io.StringIO()
    with Waiting("reading", stream) as life:
        for _ in range(20):
            life.printed()
            time.sleep(0.02)
    assert stream.getvalue() == ""


def test_a_terminal_keeps_no_trace() -> None:
    """The line is replaced, and gone at the end."""
    stream = Terminal()
    with Waiting("reading", stream):
        time.sleep(0.3)
    shown = stream.getvalue()
    assert "\n" not in shown
    assert shown.startswith("\r\x1b[Kreading (0 s)")
    assert shown.endswith("\r\x1b[K")
