"""How the end of a process is told."""

from __future__ import annotations

from validators.runner.processes.outcome import describe_exit


def test_exits_are_described():
    """A wait status becomes a phrase that names the signal or the exit status."""
    assert describe_exit(11) == "was killed by SIGSEGV"
    assert (
        describe_exit(9) == "was killed by SIGKILL, which is what running out of memory looks like"
    )
    assert describe_exit(3 << 8) == "ended with exit status 3 and no result"
