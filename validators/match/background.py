"""How common words are in logs of any kind: a word that many logs hold tells little of a cause."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from validators.match.recorded import read_recorded

FILE = "match_words.yaml"
"""Beside the catalog."""


class Background(Struct, frozen=True):
    """In how many of so many `logs` each of the `words` stands; of others it is not known."""

    logs: int = 0
    words: dict[str, int] = {}


def load_background(playbooks: Path) -> Background:
    """What is recorded; nothing where there is no such file.

    Raises:
        CasebookError: the file does not hold such counts.
    """
    return read_recorded(playbooks / FILE, Background, Background(), "counts")
