"""Errors that the user can fix."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


@dataclass(frozen=True)
class Problem:
    """One defect of the content: a sentence, and its place; line 0 means the whole file.

    `last` is the last line of a place that spans several lines.
    """

    path: Path
    line: int
    message: str
    last: int = 0

    def __str__(self) -> str:
        """`path:line: message`, with the path relative to the working directory if possible.

        The text is one printable line, whatever the file or its name holds.
        """
        path = self.path
        if path.is_absolute() and path.is_relative_to(Path.cwd()):
            path = path.relative_to(Path.cwd())
        lines = f"{self.line}-{self.last}" if self.last > self.line else self.line
        place = f"{path}:{lines}" if self.line else str(path)
        return printable(f"{place}: {self.message}")


def printable(text: str) -> str:
    """`text` in one line, with escapes in place of unprintable characters."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class CasebookError(Exception):
    """Bad input, described in one sentence: the place, what is wrong, the remedy. Exit status 2."""


def sentence_of(error: OSError) -> str:
    """What to tell a user of an error of the operating system."""
    return f"{error.filename or 'a file'}: {error.strerror or error}; fix that and run again"


@contextlib.contextmanager
def naming(place: Path) -> Iterator[None]:
    """Make an OSError name `place` if it names no file: an error while writing names none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(place)
        raise


def run_command(command: click.Command, name: str, interrupted: str) -> None:
    """Run a command line and exit with its status; print errors that users can fix as one sentence.

    `interrupted` is what to print after a keyboard interrupt.
    """
    import click

    # What ends after an interrupt, and tells what it has, does so where a job's time is over, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(command.main(prog_name=name, standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except CasebookError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"Interrupted; {interrupted}.", err=True)
        sys.exit(130)
    except OSError as error:
        click.echo(f"Error: {sentence_of(error)}", err=True)
        sys.exit(2)
