"""What one release says in a family, as a kind's reader finds it in torch's files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Found:
    """One format that a release prints, the family that it belongs to, and the file that holds it.

    `format` is the line by which the family is known. `context`, `explanation` and `hints` are what
    torch says beside it. If no code of the release prints it, `printed` is False: the registry of
    graph breaks keeps the ids of messages that are gone.
    """

    key: str
    format: str
    file: str = ""
    context: str = ""
    explanation: str = ""
    hints: tuple[str, ...] = ()
    printed: bool = True
