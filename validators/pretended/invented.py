"""What a GPU alone could have answered, and who asked."""

from __future__ import annotations

from collections import Counter
from typing import NoReturn

CLOCK, VALUE, MEMORY, REPLAY = KINDS = ("clock", "value", "memory", "replay")
"""What exists on a GPU only: how long something takes, the elements of a tensor, free and used
memory, and what happens when a CUDA graph is recorded and replayed."""


class NotObservable(RuntimeError):
    """A program asks for something that exists on a GPU only."""


class Invented:
    """Every answer that was made up or refused, with its kind and how often it was asked for."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def note(self, kind: str, what: str) -> None:
        """Keep that an answer to `what` was made up."""
        assert kind in KINDS, kind
        self._counts[kind, what] += 1

    def refuse(self, kind: str, what: str) -> NoReturn:
        """Keep the question `what`, and raise."""
        self.note(kind, what)
        raise NotObservable(f"there is no GPU to ask for this: {what}")

    def told(self) -> list[dict[str, str | int]]:
        """All of them as plain data."""
        return [
            {"kind": kind, "what": what, "count": count}
            for (kind, what), count in sorted(self._counts.items())
        ]
