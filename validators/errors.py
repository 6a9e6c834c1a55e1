"""What goes wrong in a way that the user can fix."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


@dataclass(frozen=True)
class Problem:
    """One defect of the content: a sentence, and its place; line 0 is the whole file.

    `last` is the last line of the place where it is more than one.
    """

    path: Path
    line: int
    message: str
    last: int = 0

    def __str__(self) -> str:
        """`path:line: message`, the path relative to the working directory where it can be.

        It is one line that any stream can take, whatever stands in the file or in its name.
        """
        path = self.path
        if path.is_absolute() and path.is_relative_to(Path.cwd()):
            path = path.relative_to(Path.cwd())
        lines = f"{self.line}-{self.last}" if self.last > self.line else self.line
        place = f"{path}:{lines}" if self.line else str(path)
        return printable(f"{place}: {self.message}")


def printable(text: str) -> str:
    """`text` in one line, with escapes in place of what cannot be printed."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class CasebookError(Exception):
    """Bad input, said in one sentence: the place, what is wrong, the remedy. Exit status 2."""


@contextlib.contextmanager
def naming(place: Path) -> Iterator[None]:
    """Have an OSError name `place`, as one does that comes from opening but not from writing."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(place)
        raise


def run_command(command: click.Command, name: str, interrupted: str) -> None:
    """Run a command line and leave with its exit status; what the user can fix is one sentence.

    `interrupted` is what to say of a keyboard interrupt.
    """
    import click

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
        place = error.filename or "a file"
        click.echo(f"Error: {place}: {error.strerror or error}; fix that and run again", err=True)
        sys.exit(2)
