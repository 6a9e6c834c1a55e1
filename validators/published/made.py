"""All that is worked out before the pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validators.errors import CasebookError
from validators.knowing.knowledge import knowledge_of
from validators.match import AREA_NEAR, GUESSES, LEARN_MORE, NEAREST, NOTHING, SISTERS, UNKNOWN
from validators.match.index import data_of
from validators.match.making.scores import FRESH, INCIDENTS, PARTS, Fresh, Score, load_scores
from validators.published.alike import alike
from validators.published.models import ShownModel, shown_models
from validators.published.silent import ShownError, shown_errors
from validators.repository import Repository
from validators.schemas import SCHEMAS, schema_text
from validators.skillpack.pack import load_pack
from validators.skillpack.well_known import well_known

_SAID = {
    "nothing": NOTHING,
    "guesses": GUESSES,
    "nearest": NEAREST,
    "sisters": SISTERS,
    "unknown": UNKNOWN,
    "area": AREA_NEAR,
    "learn": LEARN_MORE,
}


@dataclass(frozen=True)
class Search:
    """The index of cases, areas, guides and families, and how well the search answers.

    `said` is what is said of answers. `logs` and `incidents` are scores, each with what was scored.
    """

    index: dict[str, Any]
    said: Mapping[str, str]
    logs: list[tuple[str, Score]]
    incidents: list[tuple[str, Score]]
    fresh: Fresh | None


@dataclass(frozen=True)
class Made:
    """What the pages read.

    `alike` names the cases that a log mixes up with each case. `skills` are the files by which
    clients find the pack on a site, by their paths, and `schemas` the texts of the JSON Schemas.
    """

    models: list[ShownModel]
    silent: Mapping[str, list[ShownError]]
    search: Search
    alike: Mapping[str, list[str]]
    skills: Mapping[str, bytes]
    schemas: Mapping[str, str]


def make(repository: Repository) -> Made:
    """Work all of it out.

    Raises:
        CasebookError: a file beside the catalog or a skill is invalid.
    """
    return Made(
        shown_models(repository),
        shown_errors(repository),
        _search(repository),
        alike(repository),
        _skills(repository),
        {name: schema_text(kind) for name, kind in SCHEMAS.items()},
    )


def _search(repository: Repository) -> Search:
    scores = load_scores(repository.playbooks)
    logs = [(PARTS.get(part, part), score) for part, score in scores.logs.items()]
    incidents = []
    if scores.fresh:
        logs.append((FRESH, scores.fresh.logs))
        incidents.append((INCIDENTS, scores.fresh.incidents))
    index = data_of(knowledge_of(repository).index)
    return Search(index, _SAID, logs, incidents, scores.fresh)


def _skills(repository: Repository) -> dict[str, bytes]:
    pack, problems = load_pack(repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    served = well_known(repository.root, pack) if pack else {}
    return {str(place): data for place, data in served.items()}
