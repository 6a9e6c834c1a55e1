"""The fresh set: well formed, and counted as it should be. Only made-up logs are searched here."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec
import pytest
import yaml

from tests.validators.match.judging import (
    FRESH_LOGS,
    fresh_logs,
    fresh_sentences,
    judged_logs,
    judged_queries,
    model_incidents,
    named_families,
    our_catalog,
    our_families,
    our_index,
    score_families,
    score_fresh,
    site_index,
)
from tests.validators.match.test_user_logs import HOME, NO_PERSON, SOURCE, names_of
from validators.match.scores import FamilyScore, Scores, load_scores

SKIPPED = "skipping cudagraphs due to mutated inputs (1 instances)"
LIMIT = "W1122 torch/_dynamo/convert_frame.py:1] [0/8] torch._dynamo hit config.recompile_limit (8)"
MUTATED, CPU = ("cudagraph_skip", "mutated-inputs"), ("cudagraph_skip", "cpu-device")


def made_up(log: str, category: str = "cudagraphs", **labels: Any) -> dict[str, Any]:
    """A log, labelled."""
    return {"log": log, "category": category, "expect": [], "families": [], **labels}


def test_the_families_that_an_answer_names_are_counted() -> None:
    """One of two is named; a text without families counts as none."""
    assert MUTATED in named_families(our_index(), SKIPPED)
    logs = [made_up(SKIPPED, families=[[*MUTATED], [*CPU]]), made_up("npm ERR! code ERESOLVE")]
    assert score_families(our_index(), logs) == FamilyScore(texts=1, families=2, right=1)


def test_each_part_of_the_fresh_set_is_counted_by_itself() -> None:
    """Logs with a silent one of another subject, a sentence, and an incident that is missed."""
    logs = [
        made_up(SKIPPED, expect=["mutated_input_skips_cudagraphs"], families=[[*MUTATED]]),
        made_up("npm ERR! code ERESOLVE", "unrelated"),
    ]
    missed = made_up(
        LIMIT, "", expect=["print_in_forward"], families=[["guard", "recompile-limit"]]
    )
    fresh = score_fresh(logs, {"out of memory": ["area:memory"], "my dog ate it": []}, [missed])
    assert (fresh.logs.related, fresh.logs.unrelated, fresh.logs.silent) == (1, 1, 1)
    assert fresh.logs.among_three == fresh.logs.with_case == 1
    assert (fresh.sentences.queries, fresh.sentences.among_three) == (2, 2)
    assert (fresh.incidents.related, fresh.incidents.first) == (1, 0)
    assert (
        fresh.log_families == fresh.incident_families == FamilyScore(texts=1, families=1, right=1)
    )


def test_scores_with_and_without_a_fresh_set_can_be_read(tmp_path) -> None:
    """Nothing stands in the file before the fresh set was scored."""
    scored = Scores(fresh=score_fresh([made_up(SKIPPED)], {}, []))
    for told in (Scores(), scored):
        text = yaml.safe_dump(msgspec.to_builtins(told))
        (tmp_path / "match_scores.yaml").write_text(text)
        assert load_scores(tmp_path) == told
        assert ("fresh" in text) is (told.fresh is not None)


def test_the_fresh_set_is_large_and_new() -> None:
    """No thread of the judged logs and no query of before is in it."""
    logs, sentences, incidents = fresh_logs(), fresh_sentences(), model_incidents()
    unrelated = Counter(it["category"] == "unrelated" for it in logs)
    assert unrelated[False] >= 60 and unrelated[True] >= 20
    assert len(sentences) >= 60 and len(incidents) >= 40
    assert len({it["model"] for it in incidents}) >= 12
    sources = [it["source"] for it in logs]
    assert len({*sources}) == len(sources)
    known = judged_queries()
    assert not {*sources} & {it["source"] for it in judged_logs()}
    asked = {text.lower() for kinds in known.values() for its in kinds.values() for text in its}
    assert not {text.lower() for text in sentences} & asked


@pytest.mark.parametrize("file", sorted(FRESH_LOGS.iterdir()), ids=lambda file: file.stem)
def test_a_fresh_log_is_named_by_its_thread_and_names_no_person(file) -> None:
    """And is short, of its own part, with a date as far as it is known."""
    log = msgspec.yaml.decode(file.read_bytes())
    assert file.name in names_of(log["source"]) and SOURCE.fullmatch(log["source"])
    assert re.fullmatch(r"20\d\d(-\d\d){0,2}", log["date"])
    assert log["part"] == "fresh"
    assert 0 < len(log["log"].splitlines()) <= 60
    assert {*HOME.findall(log["log"])} <= NO_PERSON


def test_every_label_of_the_fresh_set_names_something() -> None:
    """Cases, pages and families that there are."""
    cases = {*our_catalog().by_name}
    pages = cases | {f"{it.kind}:{it.name}" for it in site_index().pages}
    families = {(it.kind, it.key) for it in our_families()}
    for it in [*fresh_logs(), *model_incidents()]:
        assert {*it["expect"]} <= cases, it
        assert {(kind, key) for kind, key in it["families"]} <= families, it
    for text, wanted in fresh_sentences().items():
        assert {*wanted} <= pages, text
