"""Checks of areas and guides: each has phrases that lead there, and vague words lead to steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from validators.checks.judged.judged_text import Lines
from validators.errors import Problem
from validators.match import Index, search
from validators.match.index import AREA
from validators.match.making.building import OtherPage
from validators.match.making.data_files import read_data
from validators.match.making.topics import FILE as TOPICS

PHRASES = "topic_phrases.yaml"
_AMONG = 3
_STEPS, _ALIASES = 3, 4


class TopicPhrases(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases with the page that each leads to, alone and behind each of the beginnings."""

    beginnings: list[str] = []
    phrases: dict[str, str] = {}


def check_topics(playbooks: Path, others: Iterable[OtherPage]) -> Iterator[Problem]:
    """Find areas and guides to which vague words cannot lead."""
    path = playbooks / TOPICS
    lines = Lines(path)
    for page in others if path.exists() else ():
        if not page.summary or len(page.aliases) < _ALIASES:
            line = lines.at("areas" if page.kind == AREA else "guides", page.name)
            message = f"{page.name} needs a summary and {_ALIASES} phrases under `asked`; add them"
            yield Problem(path, line, message)


def check_phrases(folder: Path, index: Index) -> Iterator[Problem]:
    """Find phrases that do not lead to the steps of their page.

    Raises:
        CasebookError: the file of phrases holds something else.
    """
    path = folder / PHRASES
    topics = read_data(path, TopicPhrases, TopicPhrases(), "phrases", "correct it")
    lines = Lines(path)
    for phrase, wanted in topics.phrases.items():
        for beginning in ("", *topics.beginnings):
            text = beginning + phrase
            pages = [match.page for match in search(index, [(1, text)]).matches[:_AMONG]]
            steps = {f"{page.kind}:{page.name}": len(page.steps) for page in pages}
            if steps.get(wanted, 0) < _STEPS:
                message = (
                    f"{text!r} leads to {', '.join(steps) or 'no page'}, not to {wanted} with"
                    f" {_STEPS} steps; add phrases or steps in {TOPICS}"
                )
                yield Problem(path, lines.at("phrases", phrase), message)
