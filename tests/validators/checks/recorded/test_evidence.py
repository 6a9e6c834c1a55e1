"""What the catalog expects of a record, rule by rule."""

from __future__ import annotations

import dataclasses

import pytest

from validators.catalog import load_catalog
from validators.checks.written.titles import ASKS
from validators.evidence import write_record

REFUTED = {"verdict": "refuted", "shows": {"symptom": False, "remedy": True}}


@pytest.fixture
def verdict_on(check, tmp_path, write_case, make_record):
    """The problems of one case's evidence, given the case's fields and the record's."""

    def run(fields, torch="2.13.0", **record):
        root = tmp_path / "playbooks/catalog"
        write_case(root, "guards", "one", **fields)
        case = load_catalog(root).by_name["one"]
        made = make_record(case, torch=torch, **record)
        write_record(tmp_path / "playbooks/evidence", made)
        return [problem for problem in check()[1] if not problem.endswith(ASKS)]

    return run


@pytest.mark.parametrize(
    ("fields", "torch", "surprise"),
    [
        ({}, "2.13.0", True),
        ({"holds": [{"torch": ">=2.13"}]}, "2.13.0", True),
        ({"holds": [{"torch": ">=2.14"}]}, "2.13.0", False),
        ({"holds": [{"torch": ">=2.14"}]}, "2.14.0.dev20260801", True),
        ({"holds": [{"device": "cuda"}]}, "2.13.0", False),
        ({"holds": [{"python": "<3.12"}]}, "2.13.0", False),
        ({"holds": [{"device": "cuda"}, {"torch": "==2.13.*"}]}, "2.13.0", True),
        ({"devices": ["cuda"]}, "2.13.0", False),
        ({"withdrawn": "it was wrong"}, "2.13.0", False),
    ],
)
def test_a_refutation_is_a_surprise_only_where_holds_expects(verdict_on, fields, torch, surprise):
    """Outside `holds`, on another device or of a retired case a refutation is no problem."""
    problems = verdict_on(fields, torch, **REFUTED)
    assert [("where `holds` expects" in p) for p in problems] == [True] * surprise


@pytest.mark.parametrize("verdict", ["remedy-failed", "unstable", "refuted"])
def test_undecided_and_lost_verdicts_are_surprises(verdict_on, verdict):
    """Every verdict but confirmed and skipped contradicts `holds`."""
    shows = {"symptom": verdict != "refuted", "remedy": True}
    (problem,) = verdict_on({}, verdict=verdict, shows=shows)
    assert f"is {verdict} where" in problem


def test_a_skipped_record_is_no_problem(verdict_on):
    """An unmet need is not a contradiction."""
    assert verdict_on({}, verdict="skipped", reason="needs triton", shows={}) == []


def test_an_error_is_a_problem_everywhere(verdict_on):
    """Outside `holds` an error still has to be fixed."""
    fields = {"holds": [{"torch": ">=3"}]}
    (problem,) = verdict_on(fields, verdict="error", reason="it timed out", shows={})
    assert "ended in an error (it timed out)" in problem


@pytest.mark.parametrize(
    ("kind", "fixed_in", "torch", "contradicted"),
    [
        ("limitation", "2.13", "2.13.0", True),
        ("limitation", "2.13", "2.14.1", True),
        ("limitation", "2.14", "2.13.0", False),
        ("limitation", "2.13", "2.13.0.dev20260801", False),
        ("practice", "2.13", "2.13.0", False),
        ("retraction", "2.13", "2.13.0", False),
    ],
)
def test_a_fix_is_contradicted_by_a_limitation_confirmed_later(
    verdict_on, kind, fixed_in, torch, contradicted
):
    """A limitation that is confirmed on a release with the fix contradicts `fixed_in`."""
    fields = {"kind": kind, "upstream": [{"issue": "#1", "fixed_in": fixed_in}]}
    if kind == "retraction":
        fields["believed"] = "It works."
    problems = verdict_on(fields, torch)
    assert [("`fixed_in` 2.13 of #1" in p) for p in problems] == [True] * contradicted


def test_an_edit_of_the_proof_makes_its_record_stale(verdict_on, check, tmp_path):
    """The record no longer speaks of the case as it stands, until it is as it was."""
    assert verdict_on({}) == []
    proof = tmp_path / "playbooks/catalog/guards/one.py"
    before = proof.read_text()
    proof.write_text(before + "\nEDITED = 1\n")
    (problem,) = check()[1]
    assert "1 stale, since their cases changed (one)" in problem
    proof.write_text(before)
    assert check()[1] == []


def test_a_page_edited_in_prose_alone_stays_current(verdict_on, check, tmp_path):
    """Prose and `holds` are not part of what was run."""
    assert verdict_on({}) == []
    page = tmp_path / "playbooks/catalog/guards/one.md"
    text = page.read_text().replace("severity", "holds:\n- torch: '>=2'\nseverity")
    page.write_text(text.replace("What the user sees", "What anyone sees"))
    assert check()[1] == []


def test_a_garbled_torch_version_does_not_stop_the_check(verdict_on, make_record):
    """A fingerprint that no column can come from is a problem like any other."""
    mark = dataclasses.replace(make_record("one").fingerprint, torch="unknown")
    (problem,) = verdict_on({}, fingerprint=mark)
    assert "the fingerprint belongs to another column" in problem


@pytest.mark.parametrize(
    "report", [{"graphs": 5}, {"graph_breaks": [{}]}, {"calls": ["x"]}, {"times": {"t": ["x"]}}]
)
def test_a_report_that_no_probe_wrote_is_a_problem(verdict_on, report):
    """Somebody edited a line that machines write."""
    (problem,) = verdict_on({}, remedy=report)
    assert "torch-2.13.0-cpu: its remedy is not a probe's report (" in problem


def test_a_stale_report_may_be_of_an_older_kind(verdict_on):
    """It is stale, and that is all there is to say of it."""
    (problem,) = verdict_on({}, remedy={"graph_breaks": [{}]}, digest="0")
    assert "1 stale" in problem


def test_a_number_that_json_lacks_is_one_all_the_same(verdict_on):
    """NaN and the infinities travel as words."""
    assert verdict_on({}, remedy={"times": {"t": ["nan", "inf", 1]}}) == []


def test_a_stale_record_of_a_gpu_waits_for_a_gpu(verdict_on, check, tmp_path, make_record):
    """An edit that makes GPU evidence stale must not stop who has no GPU."""
    mark = dataclasses.replace(
        make_record("one").fingerprint, device="cuda", accelerator="NVIDIA H200"
    )
    assert verdict_on({}, column="torch-2.13.0-h200", fingerprint=mark) == []
    proof = tmp_path / "playbooks/catalog/guards/one.py"
    proof.write_text(proof.read_text() + "\nEDITED = 1\n")
    assert check()[1] == []


def test_another_judge_calls_for_another_judgement(verdict_on, check, tmp_path, make_record):
    """Of a GPU's record, too: nothing has to run for it."""
    mark = dataclasses.replace(
        make_record("one").fingerprint, device="cuda", accelerator="NVIDIA H200"
    )
    assert verdict_on({}, column="torch-2.13.0-h200", fingerprint=mark) == []
    proof = tmp_path / "playbooks/catalog/guards/one.py"
    source = proof.read_text()
    assert "graph_breaks) > 0" in source
    proof.write_text(source.replace("graph_breaks) > 0", "graph_breaks) > 1"))
    (problem,) = check()[1]
    assert "torch-2.13.0-h200: 1 stale" in problem
    assert "judge them with `python -m validators rejudge`" in problem


@pytest.mark.parametrize(
    ("about", "verdict", "told"),
    [("tracing", "refuted", 1), ("tracing", "undecided", 0), ("kernels", "refuted", 0)],
)
def test_tracing_that_differs_from_the_cpus_goes_to_a_person(
    verdict_on, check, tmp_path, make_record, about, verdict, told
):
    """Claims about kernels may differ, as their `holds` says; what is undecided does not."""
    fields = {"compiled": about, "holds": [{"device": "cpu"}]}
    assert verdict_on(fields) == []
    case = load_catalog(tmp_path / "playbooks/catalog").by_name["one"]
    mark = dataclasses.replace(
        make_record("one").fingerprint, device="compiled", accelerator="sm_90"
    )
    shows = {"symptom": False, "remedy": False} if verdict == "refuted" else {}
    record = {"column": "torch-2.13.0-sm90-compiled", "fingerprint": mark, "verdict": verdict}
    write_record(tmp_path / "playbooks/evidence", make_record(case, **record, shows=shows))
    problems = check()[1]
    assert [("refuted, but confirmed on torch-2.13.0-cpu" in it) for it in problems] == [
        True
    ] * told
