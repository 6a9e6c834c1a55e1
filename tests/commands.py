"""Commands run within the test's own process: starting Python for each costs more than most do."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock


def call(
    main: Callable[[], object], *arguments: object, cwd: Path, **variables: str
) -> CompletedProcess[str]:
    """What a command line prints, and its exit status, as a process of its own would have them.

    What starts arms makes the process that it runs in adopt orphans; a test that calls such a
    command asks for the fixture `warm`.
    """
    words = [os.fspath(word) if isinstance(word, Path) else str(word) for word in arguments]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(
        io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True
    )
    status: object = 0
    with (
        mock.patch.object(sys, "argv", ["command", *words]),
        mock.patch.dict(os.environ, variables),
        # Warnings go to standard error where nobody handles them; pytest does.
        mock.patch.object(logging.root, "handlers", []),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as leaving:
            status = leaving.code
        except BaseException:
            status = 1
            traceback.print_exc()
    said, told = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return CompletedProcess(words, int(str(status or 0)), said, told)
