"""How many logs of any kind hold each term: a term that many hold tells little of a cause."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from validators.match.making.data_files import read_data

FILE = "match_terms.yaml"
"""Beside the catalog."""


class TermStatistics(Struct, frozen=True):
    """How many of `logs` logs hold each of some terms; for other terms it is not known."""

    logs: int = 0
    frequencies: dict[str, int] = {}


def load_term_statistics(playbooks: Path) -> TermStatistics:
    """The recorded statistics; empty if the file is missing.

    Raises:
        CasebookError: the file does not hold such counts.
    """
    return read_data(playbooks / FILE, TermStatistics, TermStatistics(), "term statistics")
