"""The answers to judged texts, counted."""

from __future__ import annotations

from validators.catalog import load_catalog
from validators.checks.judged.judged_set import load_set
from validators.checks.judged.scoring import score_fresh, term_statistics
from validators.families import load_families
from validators.families.torch_source.found import Found
from validators.match.making.building import build_index
from validators.match.making.scores import FamilyScore, QueryScore
from validators.match.making.term_statistics import TermStatistics

from .conftest import FRAME, LINE, fresh_log, log

SKIPPED = "skipping cudagraphs due to mutated inputs (1 instances)"
MUTATED, CPU = ["cudagraph_skip", "mutated-inputs"], ["cudagraph_skip", "cpu-device"]


def test_logs_and_queries_are_counted(judged):
    """Right first by a line, right among three, missed, and rightly silent."""
    judged.logs(
        log(FRAME, "frame_skipped", source="a/b#1"),
        log(f"{LINE}\n{FRAME}", "frame_skipped", "line_slow", source="a/b#2"),
        log(LINE, "frame_skipped", source="a/b#3"),
        log("a log about it", source="a/b#4", expect=None, missing="It is."),
        log("npm", source="a/b#5", category="unrelated"),
    )
    judged.write(
        "queries.yaml",
        {"vague": {"frame_skipped": ["frame_skipped"]}, "unrelated": {"my dog": []}},
    )
    scores = judged.judge().scores
    tuning, aside = scores.logs["tuning"], scores.logs["aside"]
    assert (tuning.related, tuning.with_case, tuning.first, tuning.by_line) == (4, 3, 2, 3)
    assert (tuning.among_three, tuning.right_by_line) == (2, 2)
    assert (aside.unrelated, aside.silent, aside.related) == (1, 1, 0)
    counted = [its for kinds in scores.queries.values() for its in kinds.values()]
    assert counted == [QueryScore(queries=1, first=1, among_three=1)] * 2
    assert scores.missed == ["a/b#3"]


def test_only_three_answers_count(judged):
    """The fourth is not among them."""
    for name in ("frame_one", "frame_two", "frame_three"):
        judged.case(name, signatures=["the frame was skipped"], kind="practice")
    names = ["frame_skipped", "frame_one", "frame_two", "frame_three"]
    judged.logs(*(log(FRAME, it, source=f"a/b#{n}") for n, it in enumerate(names, 1)))
    scores = judged.judge().scores.logs["tuning"]
    assert (scores.with_case, scores.first, scores.among_three) == (4, 1, 3)


def test_each_part_of_the_fresh_set_is_counted_by_itself(judged):
    """Logs with a silent one about something else, a sentence, and an incident that is missed."""
    judged.record(
        "cudagraph_skip",
        Found(key="mutated-inputs", format="mutated inputs ({n} instances)"),
        Found(key="cpu-device", format="cpu device ({node})"),
    )
    judged.logs(
        fresh_log(FRAME, "frame_skipped", source="a/b#1", families=[MUTATED]),
        fresh_log(SKIPPED, source="a/b#2", families=[MUTATED, CPU]),
        fresh_log("npm", source="a/b#3", category="unrelated"),
        file="fresh_logs.jsonl",
    )
    sentences = [{"sentence": "frame_skipped", "pages": ["frame_skipped"]}, {"sentence": "my dog"}]
    judged.write("fresh_sentences.yaml", sentences)
    incident = {"model": "net", "place": "x:1", "expect": ["line_slow"], "families": [MUTATED]}
    judged.write("model_incidents.yaml", [incident | {"text": f"{FRAME}\n{SKIPPED}"}])
    catalog = load_catalog(judged.catalog)
    index = build_index(catalog, families=load_families(judged.playbooks))
    fresh = score_fresh(load_set(judged.folder, catalog), index, index)
    assert (fresh.logs.related, fresh.logs.first) == (2, 1)
    assert (fresh.logs.unrelated, fresh.logs.silent) == (1, 1)
    assert fresh.log_families == FamilyScore(texts=2, families=3, right=1)
    right = QueryScore(queries=1, first=1, among_three=1)
    assert fresh.sentences == {"short sentence": right, "unrelated": right}
    assert (fresh.incidents.related, fresh.incidents.with_case, fresh.incidents.first) == (1, 1, 0)
    assert fresh.incident_families == FamilyScore(texts=1, families=1, right=1)


def test_terms_are_counted_in_the_logs_to_tune_on(judged):
    """Those of more than one log; what is put aside does not count."""
    judged.logs(
        log("torch: zebra yak", source="a/b#1", expect=None, missing="It is."),
        log("torch: zebra", source="a/b#2", expect=None, missing="It is."),
        log("torch: zebra yak", source="a/b#5", expect=None, missing="It is."),
    )
    logs = load_set(judged.folder, load_catalog(judged.catalog)).logs
    assert term_statistics(logs) == TermStatistics(2, {"torch": 2, "zebra": 2})
