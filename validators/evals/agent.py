"""Give a task to an agent's command line: a folder and a HOME of its own, and a time limit."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from validators.environment import Environment
from validators.errors import CasebookError
from validators.files import ROOT

End = Literal["ended", "hung", "flooded"]
OUTPUT_MOST = 32 * 2**20
"""Bytes of output after which an agent is stopped."""
_READ = 4 * 2**20
_TOLD = re.compile(r"^\s*tokens(?: used)?\s*[:=]\s*([\d,]+)\s*$", re.IGNORECASE | re.MULTILINE)
_OPENED = re.compile(r"\.(?:agents|claude)/skills/([A-Za-z0-9_-]+/[A-Za-z0-9_./-]*\.[A-Za-z0-9]+)")
_PASSED_ON = ("LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR")


@dataclass(frozen=True)
class Agent:
    """A command line, the name that results bear, and the variables that it gets from ours.

    In the command, `{task}` stands for a file with the request and `{transcript}` for one that the
    agent may write. Without `{task}` the request comes on stdin.
    """

    command: str
    name: str
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Desk:
    """The folders of one attempt."""

    root: Path

    @property
    def repo(self) -> Path:
        """What the agent works in."""
        return self.root / "repo"

    @property
    def request(self) -> Path:
        """The user's words."""
        return self.root / "task.md"

    @property
    def transcript(self) -> Path:
        """What the agent may write about its steps."""
        return self.root / "transcript"

    @property
    def stdout(self) -> Path:
        """What it printed."""
        return self.root / "stdout"

    @property
    def stderr(self) -> Path:
        """What it printed about errors."""
        return self.root / "stderr"


@dataclass(frozen=True)
class Ran:
    """How an agent ended: exit status, wall seconds, the tokens that it told, what it opened."""

    end: End
    status: int
    seconds: float
    tokens: int | None
    opened: list[str]


def ran(agent: Agent, desk: Desk, env: Environment, seconds: float) -> Ran:
    """Let the agent work at its desk; no process of its group is left afterwards.

    Raises:
        CasebookError: the command cannot be started.
    """
    (desk.root / "home").mkdir()
    (desk.root / "tmp").mkdir()
    started = time.monotonic()
    with _started(agent, desk, env) as process:
        end = _watched(process, desk, started + seconds)
    took = time.monotonic() - started
    said = _read(desk.stdout)
    opened = opened_in(said + _read(desk.stderr) + _read(desk.transcript))
    return Ran(end, process.returncode, took, tokens_in(said), opened)


def words(command: str, desk: Desk) -> list[str]:
    """The command's words with the files of a desk.

    Raises:
        CasebookError: a quote in the command is never closed, or it is empty.
    """
    try:
        found = shlex.split(command)
    except ValueError as error:
        raise CasebookError(f"--agent: {str(error).lower()}; close the quote") from None
    if not found:
        raise CasebookError("--agent: is empty; give a command line")
    files = {"{task}": str(desk.request), "{transcript}": str(desk.transcript)}
    for name, file in files.items():
        found = [it.replace(name, file) for it in found]
    return found


def tokens_in(said: str) -> int | None:
    """The tokens that an agent told: the last line `tokens: N`, or JSON with `usage`; else None."""
    found = None
    for line in said.splitlines():
        if told := _TOLD.match(line):
            found = int(told[1].replace(",", ""))
        elif line.lstrip().startswith("{"):
            found = _in_json(line) or found
    return found or _in_json(said)


def opened_in(said: str) -> list[str]:
    """The files of skills whose paths an agent printed or wrote into its transcript."""
    return sorted({it.rstrip(".") for it in _OPENED.findall(said)})


def _in_json(text: str) -> int | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    usage = value.get("usage", value)
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("tokens", "input_tokens", "output_tokens")]
    known = [it for it in counts if isinstance(it, int) and it >= 0]
    return sum(known) if known else None


@contextlib.contextmanager
def _started(agent: Agent, desk: Desk, env: Environment) -> Iterator[subprocess.Popen[bytes]]:
    """The agent, leader of a process group that ends with the block."""
    command = words(agent.command, desk)
    with (
        desk.request.open("rb") as request,
        desk.stdout.open("wb") as out,
        desk.stderr.open("wb") as err,
    ):
        try:
            process = subprocess.Popen(
                command,
                cwd=desk.repo,
                env=_environment(agent, desk, env),
                stdin=subprocess.DEVNULL if "{task}" in agent.command else request,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            told = f"{command[0]}: {error.strerror}; name a command that starts an agent"
            raise CasebookError(f"--agent: {told}") from None
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _watched(process: subprocess.Popen[bytes], desk: Desk, until: float) -> End:
    while process.poll() is None:
        if time.monotonic() > until:
            return "hung"
        if sum(it.stat().st_size for it in (desk.stdout, desk.stderr)) > OUTPUT_MOST:
            return "flooded"
        time.sleep(0.05)
    return "ended"


def _leads_to_us(folder: Path) -> bool:
    """Whether programs of this repository, or an installed casebook, are in a folder of PATH."""
    return folder.resolve().is_relative_to(ROOT) or (folder / "casebook").exists()


def _environment(agent: Agent, desk: Desk, env: Environment) -> dict[str, str]:
    """The judged interpreter first in PATH, and nothing that leads to this repository."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [it for it in folders if not _leads_to_us(Path(it))]
    given = {it: os.environ[it] for it in (*_PASSED_ON, *agent.variables) if it in os.environ}
    return {
        **given,
        "PATH": os.pathsep.join([str(Path(env.python).parent), *outside]),
        "HOME": str(desk.root / "home"),
        "TMPDIR": str(desk.root / "tmp"),
        "TERM": "dumb",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _read(file: Path) -> str:
    """The end of a file that an agent wrote; "" if it is no regular file."""
    if file.is_symlink() or not file.is_file():
        return ""
    with file.open("rb") as opened:
        opened.seek(max(file.stat().st_size - _READ, 0))
        return opened.read().decode(errors="replace")
