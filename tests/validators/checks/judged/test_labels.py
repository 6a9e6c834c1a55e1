"""Labels against each other: what counts twice, what is missing, what there is too little of."""

from __future__ import annotations

from .conftest import FRAME, LINE, fresh_log, log


def test_two_logs_of_one_thread_are_found(judged):
    """They would be judged as if they were independent, whoever writes the name how."""
    judged.logs(log(FRAME, "frame_skipped", source="A/b#1"), log(LINE, "line_slow", source="a/b#1"))
    judged.logs(fresh_log(FRAME, source="a/b#1"), file="fresh_logs.jsonl")
    said = "user_logs.jsonl:1 is of the same thread; keep one of them"
    assert f"user_logs.jsonl:2: a/b#1: {said}" in judged.problems()
    assert f"fresh_logs.jsonl:1: a/b#1: {said}" in judged.problems()


def test_a_fresh_sentence_is_no_judged_query(judged):
    """In whatever case it is written."""
    judged.write("queries.yaml", {"vague": {"Skipped frame": ["frame_skipped"]}})
    judged.write(
        "fresh_sentences.yaml",
        [{"sentence": "it skips"}, {"sentence": "skipped frame", "pages": ["frame_skipped"]}],
    )
    (found,) = judged.problems("fresh")
    assert found.startswith("fresh_sentences.yaml:2: skipped frame: is a judged query, too")


def test_pages_of_queries_must_exist(judged):
    """Cases by name, areas by kind and name."""
    right = {"skipped frame": ["frame_skipped", "area:graph_breaks"]}
    wrong = {"slow line": ["line_slow", "graph_breaks"], "my dog": ["line_slow"]}
    judged.write("queries.yaml", {"vague": right, "unrelated": wrong})
    judged.write("pasted.yaml", {"logs": {"a/b#1": {"expect": ["nothing"], "log": FRAME}}})
    judged.write("fresh_sentences.yaml", [{"sentence": "x", "pages": ["area:memory"]}])
    found = judged.problems("queries") + judged.problems("pasted") + judged.problems("fresh")
    no_page = "; correct the answer that is expected"
    assert f"queries.yaml:6: slow line: no page is called graph_breaks{no_page}" in found
    assert f"pasted.yaml:2: a/b#1: no page is called nothing{no_page}" in found
    assert f"fresh_sentences.yaml:1: x: no page is called area:memory{no_page}" in found
    only = "only a query of the kind `unrelated` has no pages; correct one of both"
    assert f"queries.yaml:9: my dog: {only}" in found


def test_the_labels_of_incidents_must_exist(judged):
    """Each begins at its own line."""
    incident = {"model": "net", "place": "x.py:1", "expect": [], "families": [], "text": FRAME}
    wrong = {"expect": ["nothing"], "families": [["guard", "none"]]}
    judged.write("model_incidents.yaml", [incident, incident | wrong])
    assert [it.partition("; ")[0] for it in judged.problems("incidents")] == [
        "model_incidents.yaml:6: net, x.py:1: no page is called nothing",
        "model_incidents.yaml:6: net, x.py:1: guard none is not a family",
    ]


def test_each_area_has_a_log_and_each_kind_of_query_both_parts(judged):
    """Else nothing would be known about it."""
    judged.logs(log("npm ERR!", category="unrelated"))
    judged.write("queries.yaml", {"vague": {"skipped frame": ["frame_skipped"]}})
    found = judged.problems()
    assert "user_logs.jsonl:0: has no log of the area graph_breaks; add one" in found
    part = "all queries of the kind `vague` are of the part"
    assert any(it.startswith(f"queries.yaml:1: {part}") for it in found)


def test_about_a_third_of_the_logs_is_put_aside(judged):
    """Of those about the subject, and of the others."""
    threads = [f"a/b#{number}" for number in range(999)]
    tuning = [it for it in threads if log("x", source=it)["part"] == "tuning"][:30]
    judged.logs(*(log("x", source=it, category="unrelated") for it in tuning))
    said = "0% of the unrelated logs are put aside, not about a third; add logs of other threads"
    assert f"user_logs.jsonl:0: {said}" in judged.problems()


def test_a_set_that_became_too_small_is_found(judged):
    """A check without work finds nothing wrong; a name that nothing counts is a mistake."""
    judged.logs(log(FRAME, "frame_skipped"))
    judged.write("least.yaml", {"related logs": 2, "areas and guides": 1, "dogs": 1})
    assert judged.problems("least") == [
        "least.yaml:1: there are only 1 related logs, 2 are wanted; restore or add some",
        "least.yaml:3: nothing counts 'dogs'; correct the name",
    ]


def test_a_file_that_holds_something_else_is_named(judged):
    """In a sentence; nothing else is judged then."""
    judged.write("queries.yaml", ["skipped frame"])
    (found,) = judged.judge().problems
    assert "queries.yaml: holds no queries (Expected `object`, got `array`)" in found.message
