"""Queries that should make an agent open a skill, and near misses that should not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from validators.catalog.page import InvalidPage, load_yaml, read_list, split_page
from validators.errors import CasebookError

_FILE = "triggers.yaml"
_NEEDED = 2
_WORD = re.compile(r"[a-z0-9_.]*[a-z0-9_]")
_UNTOLD = """a an and are as at be but by can do does for from has have how i if in is it its me my
no not of on or so that the their then this to use was we what when which why will with you
torch.compile compile compiled"""
_STOP = frozenset(_UNTOLD.split())


class NearMiss(Struct, frozen=True, forbid_unknown_fields=True):
    """A query that looks like one of the skill and is none; `wants` is the right skill, or none."""

    query: str
    wants: str
    why: str


class Queries(Struct, frozen=True, forbid_unknown_fields=True):
    """The queries of one skill."""

    queries: Annotated[list[str], Meta(min_length=1)]
    near_misses: list[NearMiss]


Triggers = dict[str, Queries]


def load_triggers(evals: Path) -> Triggers:
    """The queries of all skills.

    Raises:
        CasebookError: the file is invalid.
    """
    file = evals / _FILE
    try:
        return msgspec.convert(load_yaml(file, read_list(file), 256 * 1024), Triggers)
    except InvalidPage as error:
        raise CasebookError(str(error.problems[0])) from None
    except msgspec.ValidationError as error:
        raise CasebookError(f"{file}: {error}; correct it") from None


def descriptions(skills: Path) -> dict[str, str]:
    """What an agent reads of each skill before it opens one."""
    found = {}
    for page in sorted(skills.glob("*/SKILL.md")):
        fields: Any = load_yaml(page, split_page(page)[0])
        found[page.parent.name] = fields["description"]
    return found


def words(text: str) -> set[str]:
    """The words of a text that say something, in lower case."""
    return set(_WORD.findall(text.lower())) - _STOP


def picked(query: str, described: dict[str, str]) -> str:
    """The skill whose description shares most words with a query; "none" below two words."""
    said = words(query)
    shared = {name: len(said & words(text)) for name, text in described.items()}
    best = max(sorted(shared), key=lambda name: shared[name], default="none")
    return best if shared.get(best, 0) >= _NEEDED else "none"


def baseline(triggers: Triggers, described: dict[str, str]) -> list[str]:
    """What plain word overlap picks: a floor for an agent, no measurement of one."""
    return list(_baseline(triggers, described))


def _baseline(triggers: Triggers, described: dict[str, str]) -> Iterator[str]:
    yield "Baseline: the description with the most words in common; no agent was asked."
    yield "| skill | right skill picked | near misses picked wrongly |"
    yield "|---|---|---|"
    for name, it in triggers.items():
        hits = sum(picked(query, described) == name for query in it.queries)
        wrong = sum(picked(miss.query, described) == name for miss in it.near_misses)
        yield f"| {name} | {hits}/{len(it.queries)} | {wrong}/{len(it.near_misses)} |"
