"""Standard error and logs: what is kept, what is let through, and what is put back."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest
import torch

from tests.validators.probes.arms import add_relu, ones
from validators.probes import captured_log, captured_stderr


def test_everything_on_standard_error_is_kept(capfd: pytest.CaptureFixture[str]) -> None:
    """Python, the file descriptor and a child write to one text; the terminal gets none of it."""
    with captured_stderr() as said:
        print("python", file=sys.__stderr__, flush=True)
        os.write(2, b"descriptor\n")
        subprocess.run([sys.executable, "-c", "import sys; sys.stderr.write('child\\n')"])
    os.write(2, b"after\n")
    assert said.text.splitlines() == ["python", "descriptor", "child"]
    assert said.lines("h") == ["python", "child"]
    assert capfd.readouterr().err == "after\n"


def test_standard_error_comes_back_after_an_exception(capfd: pytest.CaptureFixture[str]) -> None:
    """The text is there, and the descriptor is the old one."""
    with pytest.raises(ZeroDivisionError), captured_stderr() as said:
        os.write(2, b"before\n")
        _ = 1 / 0
    os.write(2, b"after\n")
    assert said.text == "before\n"
    assert capfd.readouterr().err == "after\n"


def test_a_quiet_log_is_opened_and_closed(capfd: pytest.CaptureFixture[str]) -> None:
    """A log of TORCH_LOGS that is off is heard, not printed, and off again."""
    name = "torch._dynamo.output_graph.__graph_code"
    logger = logging.getLogger(name)
    before = logger.level, logger.propagate, list(logger.handlers)
    torch._dynamo.reset()
    with captured_log(name) as messages:
        torch.compile(add_relu, backend="eager")(ones(3))
    assert any("relu" in message for message in messages)
    assert (logger.level, logger.propagate, list(logger.handlers)) == before
    assert capfd.readouterr().err == ""


def test_levels_and_several_loggers() -> None:
    """Messages of all named loggers come in order, those below the level not at all."""
    one, two = (logging.getLogger(f"casebook.{name}") for name in ("one", "two"))
    with captured_log("casebook.one", "casebook.two", level=logging.INFO) as messages:
        two.info("%s of two", "first")
        one.debug("too quiet")
        one.error("second")
    one.error("too late")
    assert messages == ["first of two", "second"]


def test_a_loud_log_is_heard_and_still_printed() -> None:
    """A logger that prints anyway goes on printing."""
    logger, printed = logging.getLogger("casebook.loud"), logging.StreamHandler(sys.stdout)
    logger.setLevel(logging.INFO)
    logger.addHandler(printed)
    seen: list[str] = []
    printed.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    with captured_log("casebook.loud", level=logging.INFO) as messages:
        logger.info("heard")
    assert messages == seen == ["heard"]
    assert logger.handlers == [printed]
