"""How well the search works, as the page to paste an error tells it."""

from __future__ import annotations

import msgspec
import pytest
import yaml

from tests.world import World, populate
from validators.match.making.scores import FamilyScore, Fresh, QueryScore, Score, Scores

from ..conftest import copy_of, html_of

PATH = "match/index.html"


def counted(**counts: int) -> Score:
    """A score in which everything else is 0."""
    return Score(**{**dict.fromkeys(Score.__struct_fields__, 0), **counts})


@pytest.fixture
def scored() -> Scores:
    """One part of logs and a fresh set."""
    return Scores(
        logs={"tuning": counted(related=10, with_case=9, first=8, by_line=5, right_by_line=4)},
        fresh=Fresh(
            logs=counted(related=6, with_case=3, first=2),
            log_families=FamilyScore(texts=4, families=5, right=4),
            sentences={"unrelated": QueryScore(queries=8, first=6, among_three=7, wrong=1)},
            incidents=counted(related=7, with_case=7, first=5),
            incident_families=FamilyScore(texts=7, families=9, right=8),
        ),
    )


def test_a_fresh_set_is_shown_beside_the_judged_logs(world: World, scored: Scores) -> None:
    """In both forms of the page; a share of nothing has no interval."""
    populate(world)
    world.write("playbooks/match_scores.yaml", yaml.safe_dump(msgspec.to_builtins(scored)))
    content = world.load()
    for text in (html_of(content, PATH), copy_of(content, PATH)):
        assert "Measured on 16 logs" in text
        for share in (
            "2 of 6 (",
            "5 of 7 (",
            "4 of 5 (",
            "8 of 9 (",
            "7 of 8 (",
            "1 of 8 (",
            "no page answers",
        ):
            assert share in text, share
        assert "0 of 0" not in text and "stand in 4 of these logs" in text


def test_without_a_fresh_set_nothing_is_said_of_one(world: World, scored: Scores) -> None:
    """The file may hold the judged logs alone."""
    old = msgspec.structs.replace(scored, fresh=None)
    populate(world)
    world.write("playbooks/match_scores.yaml", yaml.safe_dump(msgspec.to_builtins(old)))
    text = html_of(world.load(), PATH)
    assert "Measured on 10 logs" in text and "Fresh" not in text and "incidents" not in text
