"""One attempt of an agent at a task, and the file of results that keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from validators.errors import CasebookError
from validators.evals.task import Set

Arm = Literal["with", "without"]
Outcome = Literal["solved", "failed", "unchanged", "hung", "flooded"]
ARMS: tuple[Arm, ...] = ("with", "without")


class Attempt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of `evals/results`: who tried what under which arm, and what came of it.

    `pack` is the digest of the skills, "" in the arm without them. `tokens` is null if the agent
    told none. `opened` is what it opened of the skills as far as its output or transcript shows.
    """

    task: str
    set: Set
    skills: list[str]
    arm: Arm
    number: int
    agent: str
    torch: str
    pack: str = ""
    outcome: Outcome
    status: int
    seconds: float
    tokens: int | None = None
    opened: list[str] = []
    reasons: list[str] = []
    diff: str = ""


def read_attempts(file: Path) -> list[Attempt]:
    """The attempts in a file of results; none if there is no file.

    Raises:
        CasebookError: a line is no attempt.
    """
    if not file.exists():
        return []
    found = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Attempt))
        except msgspec.DecodeError as error:
            raise CasebookError(f"{file}:{number}: is no attempt: {error}; remove it") from None
    return found


def keep(attempt: Attempt, file: Path) -> None:
    """Append an attempt to a file of results."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as opened:
        opened.write(msgspec.json.encode(attempt) + b"\n")
