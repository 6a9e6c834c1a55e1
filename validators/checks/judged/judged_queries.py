"""The labelled queries, and incidents of real models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from validators.checks.judged.judged_logs import put_aside
from validators.checks.judged.judged_text import UNRELATED, Lines, Text
from validators.match.making.data_files import read_data

QUERIES, PASTED = "queries.yaml", "pasted.yaml"
THREADS, SENTENCES = "threads.yaml", "fresh_sentences.yaml"
INCIDENTS = "model_incidents.yaml"
_SHORT = 12
"""A sentence of more words is long."""
Labels = dict[str, list[str]]
"""The pages that answer each text."""


class PastedLog(Struct, frozen=True, forbid_unknown_fields=True):
    """A log as somebody pasted it."""

    expect: list[str]
    log: str


class Pasted(Struct, frozen=True, forbid_unknown_fields=True):
    """What people paste: sentences, and logs by their source."""

    sentences: Labels = {}
    logs: dict[str, PastedLog] = {}


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks in a public thread, in one sentence, and the pages that answer it."""

    sentence: str
    source: str = ""
    pages: list[str] = []


class Incident(Struct, frozen=True, forbid_unknown_fields=True):
    """A graph break or a recompile of a real model."""

    model: str
    place: str
    expect: list[str]
    families: list[tuple[str, str]]
    text: str


def load_queries(folder: Path) -> list[Text]:
    """Read the queries by part and kind, then what was pasted, and what is asked in threads.

    Raises:
        CasebookError: a file holds something else.
    """
    path = folder / QUERIES
    kinds = read_data(path, dict[str, Labels], {}, "queries", "correct it")
    lines = Lines(path)
    queries = [
        _query(path, lines.at(kind, text), text, kind, pages)
        for kind, labels in kinds.items()
        for text, pages in labels.items()
    ]
    in_parts = sorted(queries, key=lambda query: query.part != "tuning")
    return [*in_parts, *_pasted(folder / PASTED), *_asked(folder / THREADS, "threads")]


def _query(path: Path, line: int, text: str, kind: str, pages: list[str]) -> Text:
    part = "aside" if put_aside(text) else "tuning"
    return Text(path, line, text, part, kind, text, frozenset(pages))


def _pasted(path: Path) -> Iterator[Text]:
    pasted = read_data(path, Pasted, Pasted(), "pasted texts", "correct it")
    lines = Lines(path)
    for text, pages in pasted.sentences.items():
        line = lines.at("sentences", text)
        yield Text(path, line, text, "pasted", "sentences", text, frozenset(pages))
    for source, it in pasted.logs.items():
        line = lines.at("logs", source)
        yield Text(path, line, source, "pasted", "logs", it.log, frozenset(it.expect))


def load_sentences(folder: Path) -> list[Text]:
    """Read what people ask in threads; nothing is tuned on it.

    Raises:
        CasebookError: the file holds something else.
    """
    return list(_asked(folder / SENTENCES, "fresh"))


def _asked(path: Path, part: str) -> Iterator[Text]:
    asked = read_data(path, list[Asked], [], "sentences", "correct it")
    lines = Lines(path)
    for number, it in enumerate(asked):
        yield Text(
            path=path,
            line=lines.at(number),
            name=it.sentence,
            part=part,
            kind=_kind(it),
            text=it.sentence,
            pages=frozenset(it.pages),
        )


def _kind(it: Asked) -> str:
    if not it.pages:
        return UNRELATED
    return "short sentence" if len(it.sentence.split()) <= _SHORT else "long sentence"


def load_incidents(folder: Path) -> list[Text]:
    """Read the breaks and recompiles of real models; the kind of each is its model.

    Raises:
        CasebookError: the file holds something else.
    """
    path = folder / INCIDENTS
    incidents = read_data(path, list[Incident], [], "incidents", "correct it")
    lines = Lines(path)
    return [
        Text(
            path=path,
            line=lines.at(number),
            name=f"{it.model}, {it.place}",
            part="fresh",
            kind=it.model,
            text=it.text,
            pages=frozenset(it.expect),
            families=frozenset(it.families),
        )
        for number, it in enumerate(incidents)
    ]
