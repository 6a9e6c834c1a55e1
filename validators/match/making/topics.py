"""Areas and guides as pages that the search finds, with the phrases by which people mean them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from validators.errors import CasebookError
from validators.match.index import AREA
from validators.match.making.building import OtherPage
from validators.match.making.data_files import read_data
from validators.match.words import key_of
from validators.repository import Repository

FILE = "topics.yaml"
"""Beside the catalog."""
_CITED = re.compile(r"`case:(\w+)`")
GUIDE = "guide"
"""The kind of the pages of guides."""


class Topic(Struct, frozen=True, forbid_unknown_fields=True):
    """What an area or a guide is about, and what people type who mean it.

    `summary` is one sentence; a guide has its own. `tell` is a short list of how to find the cause:
    each step cites the page that answers. `docs` is PyTorch's own page about an area.
    """

    summary: str = ""
    asked: list[str] = []
    tell: list[str] = []
    docs: str = ""


class Topics(Struct, frozen=True, forbid_unknown_fields=True):
    """The areas and the guides by name."""

    areas: dict[str, Topic] = {}
    guides: dict[str, Topic] = {}


def other_pages(repository: Repository) -> list[OtherPage]:
    """The areas that have cases, and the guides.

    Raises:
        CasebookError: the file of topics cannot be read, names no page, or a phrase twice.
    """
    topics = _load_topics(repository)
    areas = (_area(it, topics.areas.get(it, Topic())) for it in _areas(repository))
    return [*areas, *_guides(repository, topics)]


def _areas(repository: Repository) -> list[str]:
    """The areas that have cases."""
    return list(dict.fromkeys(case.area for case in repository.catalog.cases))


def _area(name: str, topic: Topic) -> OtherPage:
    title = name.replace("_", " ").capitalize()
    return OtherPage(
        name,
        AREA,
        title,
        topic.summary,
        aliases=tuple(topic.asked),
        steps=tuple(topic.tell),
        docs=topic.docs,
    )


def _guides(repository: Repository, topics: Topics) -> Iterator[OtherPage]:
    for it in repository.guides:
        topic = topics.guides.get(it.name, Topic())
        aliases, steps = tuple(topic.asked), tuple(topic.tell)
        yield OtherPage(it.name, GUIDE, it.title, it.description, aliases=aliases, steps=steps)


def _load_topics(repository: Repository) -> Topics:
    file = repository.playbooks / FILE
    topics = read_data(file, Topics, Topics(), "topics", "correct it")
    guides = {it.name for it in repository.guides}
    areas = {*repository.catalog.casebook.areas, *_areas(repository)}
    for name in [*(topics.areas.keys() - areas), *(topics.guides.keys() - guides)]:
        raise CasebookError(f"{file}: {name!r} is no area and no guide; correct or remove it")
    known = [*topics.areas.values(), *topics.guides.values()]
    for cited in (_CITED.findall(step) for it in known for step in it.tell):
        if not cited or {*cited} - repository.catalog.by_name.keys():
            raise CasebookError(f"{file}: a step under `tell` cites no case; name one in backticks")
    asked = [it.asked for it in known]
    keys = chain.from_iterable({key_of(phrase) for phrase in phrases} for phrases in asked)
    for key, count in Counter(keys).items():
        if count > 1:
            raise CasebookError(f"{file}: {key!r} leads to two pages; keep one of the phrases")
    return topics
