"""How one worker's task ended."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field
from typing import Any

LATE = "took longer than"
"""How the failure of a task begins that a time limit ended."""
DIED = ("ended with exit status", "was killed by")
"""How that of one begins whose process ended by itself."""


@dataclass(frozen=True)
class Outcome:
    """What came back from a task: `result` is its JSON object; `failure` says what broke it.

    `output` is the end of what it printed, with the traceback or the stacks of a time-out.
    `cpu_seconds` is the CPU time of the task and of every process that it waited for.
    """

    result: dict[str, Any] = field(default_factory=dict)
    failure: str = ""
    output: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class Broken(Exception):
    """A task gave no usable result, or one that another contradicts; `reason` is one sentence."""

    def __init__(self, reason: str, outcome: Outcome) -> None:
        super().__init__(reason)
        self.reason, self.outcome = reason, outcome

    @property
    def raised(self) -> bool:
        """Whether the proof's own code raised: it may not, where there is a GPU."""
        failure = self.outcome.failure
        return bool(failure) and not failure.startswith((LATE, *DIED))


def describe_exit(status: int) -> str:
    """How a process with this wait status ended."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended with exit status {code} and no result"
    hint = ", which is what running out of memory looks like" if -code == signal.SIGKILL else ""
    # Real-time signals have no names of their own.
    names = {number.value: number.name for number in signal.Signals}
    return f"was killed by {names.get(-code, f'signal {-code}')}{hint}"
