"""The trigger queries: enough of them, with words that the descriptions have."""

from __future__ import annotations

import pytest

from validators.errors import CasebookError
from validators.evals.triggers import (
    baseline,
    descriptions,
    load_triggers,
    picked,
    words,
)
from validators.files import ROOT

DESCRIBED = descriptions(ROOT / "skills")
TRIGGERS = load_triggers(ROOT / "evals")


def test_every_skill_has_queries():
    """Ten at least, with near misses, one of which another skill or none should take."""
    assert TRIGGERS.keys() == DESCRIBED.keys()
    for name, it in TRIGGERS.items():
        assert len(set(it.queries)) >= 10
        assert len(it.near_misses) >= 3
        assert all(miss.wants in {*DESCRIBED, "none"} - {name} for miss in it.near_misses)
        assert all(miss.why for miss in it.near_misses)


@pytest.mark.parametrize("name", sorted(TRIGGERS))
def test_each_query_shares_a_word_with_its_description(name):
    """Otherwise nothing that an agent reads could lead it there."""
    unheard = [it for it in TRIGGERS[name].queries if not words(it) & words(DESCRIBED[name])]
    assert unheard == []


def test_the_baseline():
    """It picks by words alone, and says that it is no agent."""
    described = {"a": "Use when rotary embeddings break", "b": "Use when caches are cold"}
    assert picked("my rotary embeddings are odd", described) == "a"
    assert picked("rotary", described) == "none"
    told = baseline(TRIGGERS, DESCRIBED)
    assert "no agent was asked" in told[0]
    assert len(told) == 3 + len(TRIGGERS)


def test_an_invalid_file(tmp_path):
    """One sentence with the place."""
    (tmp_path / "triggers.yaml").write_text("---\na: {queries: []}\n")
    with pytest.raises(CasebookError, match=r"triggers.yaml: .*; correct it"):
        load_triggers(tmp_path)
