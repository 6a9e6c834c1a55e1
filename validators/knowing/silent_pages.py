"""Silent errors as pages that the search finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from validators.environment.column_name import release_of, span
from validators.match.index import SILENT
from validators.match.making.building import OtherPage
from validators.silent.collection import load_known


def silent_pages(playbooks: Path) -> Iterator[OtherPage]:
    """The silent errors that a recorded program shows, each with its releases and what avoids it.

    Raises:
        CasebookError: a program or a record cannot be read.
    """
    for error in load_known(playbooks):
        tried = map(release_of, error.verdicts)
        if wrong := error.releases("wrong"):
            yield OtherPage(
                error.name,
                SILENT,
                error.says,
                f"Wrong without a message on torch {span(wrong, tried)}.",
                text=" ".join(error.chain),
                aliases=(error.issue,) if error.issue else (),
                fix=error.avoid,
            )
