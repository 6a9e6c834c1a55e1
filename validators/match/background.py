"""How common words are in logs of any kind: a word that many logs hold tells little of a cause."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from validators.errors import CasebookError

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
    file = playbooks / FILE
    if not file.exists():
        return Background()
    try:
        return msgspec.yaml.decode(file.read_bytes(), type=Background)
    except (msgspec.MsgspecError, ValueError) as error:
        raise CasebookError(f"{file}: holds no counts ({error}); record them again") from error
