"""What torch says while a block runs: on standard error, and in its logs."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


class CapturedText:
    """The captured text; `text` is complete once the block has ended."""

    text = ""

    def lines(self, word: str = "") -> list[str]:
        """The lines that hold `word`."""
        return [line for line in self.text.splitlines() if word in line]


@contextmanager
def captured_stderr() -> Iterator[CapturedText]:
    """Capture what the block writes to standard error, C++ and programs that it starts included.

    `with captured_stderr() as said: ...`, then `said.text`. None of it reaches the terminal.
    """
    captured = CapturedText()
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        terminal = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield captured
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.close(terminal)
            file.seek(0)
            captured.text = file.read().decode(errors="replace")


class _Messages(logging.Handler):
    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one message; called by the logger."""
        self.messages.append(record.getMessage())


@contextmanager
def captured_log(*names: str, level: int = logging.DEBUG) -> Iterator[list[str]]:
    """The messages, from `level` up, that the named loggers get while the block runs, in order.

    A log of `TORCH_LOGS` is the logger "MODULE.__NAME", such as
    "torch._inductor.scheduler.__fusion". If a logger's level is too high, the block lowers it; the
    messages that this adds are not printed.
    """
    handler = _Messages(level)
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(_listening(logging.getLogger(name), handler))
        yield handler.messages


@contextmanager
def _listening(logger: logging.Logger, handler: logging.Handler) -> Iterator[None]:
    before = logger.level, logger.propagate, logger.handlers
    if logger.isEnabledFor(handler.level):
        logger.handlers = [*logger.handlers, handler]
    else:
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(handler.level)
    try:
        yield
    finally:
        logger.propagate, logger.handlers = before[1:]
        logger.setLevel(before[0])
