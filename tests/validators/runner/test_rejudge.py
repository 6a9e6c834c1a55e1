"""New verdicts on old reports."""

from __future__ import annotations

import dataclasses

import pytest

from tests.commands import call
from tests.conftest import BREAK, FINGERPRINT, PROOF
from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.cli import main
from validators.evidence import Freshness, load_evidence, write_record
from validators.evidence.stored.examples import (
    ExampleRun,
    example_digest,
    load_examples,
    printed_key,
    write_example,
)
from validators.probes.report import Call, Report
from validators.runner.rejudge import to_judge

CLEAN = Report(calls=(Call(compiled=1, executions=1),)).to_json()
BROKEN = {**CLEAN, "graph_breaks": [BREAK]}
BY_WORDS = PROOF.replace("len(report.graph_breaks) > 0", "'print' in str(report.break_ids)")


@pytest.fixture
def judged(tmp_path, write_case, make_record):
    """A case that looks for words, refuted on a CPU and a GPU whose reports have a break."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "graph_breaks", "one", proof=BY_WORDS)
    (case,) = load_catalog(root).cases
    folder = tmp_path / "playbooks" / "evidence"
    shows = {"symptom": False, "remedy": False}
    common = {"verdict": "refuted", "shows": shows, "witnesses": {"audit": "agrees"}}
    write_record(folder, make_record(case, "2.9.1", BROKEN, CLEAN, **common))
    mark = dataclasses.replace(
        FINGERPRINT, torch="2.11.0+cpu", device="cuda", accelerator="NVIDIA H100", cuda="13.0"
    )
    on_gpu = {"column": "torch-2.11.0-h100", "fingerprint": mark}
    write_record(folder, make_record(case, "2.11.0", BROKEN, CLEAN, **on_gpu, **common))
    return root


def candidates(root, **options) -> list[str]:
    """The columns of the records that only another judge made stale."""
    catalog = load_catalog(root)
    evidence = load_evidence(root.parent / "evidence")
    pairs = to_judge(catalog.cases, evidence.values(), catalog.root, **options)
    return [record.column for _, record in pairs]


BOTH = ["torch-2.9.1-cpu", "torch-2.11.0-h100"]


def test_only_another_judge_calls_for_a_judgement(judged, write_case):
    """Nothing to do for a current record; a changed arm has to run again."""
    assert candidates(judged) == []
    assert candidates(judged, force=True) == BOTH
    write_case(judged, "graph_breaks", "one", proof=PROOF)
    assert candidates(judged) == BOTH
    write_case(judged, "graph_breaks", "one", proof=PROOF.replace("torch.sin", "torch.tan"))
    assert candidates(judged) == candidates(judged, force=True) == []


def test_what_a_page_allows_is_part_of_the_judge(judged, write_case):
    """It decides whether a remedy has failed."""
    write_case(judged, "graph_breaks", "one", proof=BY_WORDS, leaves={"graph_breaks": 1})
    assert candidates(judged) == BOTH


@pytest.mark.usefixtures("warm")
def test_a_judge_by_effect_confirms_on_all_columns(judged, write_case):
    """A GPU's record, too, without one; the reports stay, and witnesses are to be asked again."""
    pytest.importorskip("torch")
    before = load_evidence(judged.parent / "evidence", whole=True)
    write_case(judged, "graph_breaks", "one", proof=PROOF)
    done = call(main, "rejudge", "--catalog", judged, cwd=judged.parents[1])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "2 records judged again, 2 with another verdict."
    after = load_evidence(judged.parent / "evidence", whole=True)
    (case,) = load_catalog(judged).cases
    for key, record in after.items():
        assert Freshness(judged).is_current(case, record)
        assert (record.verdict, record.witnesses) == ("confirmed", {})
        assert record.reports == before[key].reports
    done = call(main, "rejudge", "--catalog", judged, cwd=judged.parents[1])
    assert done.stdout == "nothing to judge\n"


@pytest.mark.usefixtures("warm")
def test_a_judge_that_breaks_changes_nothing(judged, write_case):
    """It is named with its column, and the exit status says so."""
    pytest.importorskip("torch")
    write_case(judged, "graph_breaks", "one", proof=BY_WORDS.replace("break_ids", "brake_ids"))
    before = load_evidence(judged.parent / "evidence", whole=True)
    done = call(main, "rejudge", "--catalog", judged, cwd=judged.parents[1])
    assert done.returncode == 3
    assert "one.py: torch-2.9.1-cpu: shows: AttributeError" in done.stderr
    assert load_evidence(judged.parent / "evidence", whole=True) == before


def test_other_signatures_are_judged_by_what_examples_printed(tmp_path, write_case):
    """What fits no more has to run again, and stays stale."""
    root = tmp_path / "playbooks" / "catalog"
    folder = root.parent / "evidence"
    page = {"body": page_with_example("a", "b")}
    write_case(root, "guards", "one", **page, signatures=["brok"])
    (case,) = load_catalog(root).cases
    for column, text in {"torch-2.9.1-cpu": "is broken", "torch-2.8.0-cpu": "brokered"}.items():
        run = ExampleRun(
            verdict="confirmed",
            digest=example_digest(case),
            torch=column.split("-")[1],
            line=text,
            before=printed_key(text),
        )
        write_example(folder, "one", column, run, [text])
    write_case(root, "guards", "one", **page, signatures=["broken"])
    done = call(main, "rejudge", "--catalog", root, cwd=tmp_path)
    assert done.stdout.splitlines()[:2] == [
        "the example has to run again: one torch-2.8.0-cpu",
        "1 run of examples judged again.",
    ]
    runs = load_examples(folder)["one"].columns
    (case,) = load_catalog(root).cases
    current = [column for column, run in runs.items() if run.digest == example_digest(case)]
    assert current == ["torch-2.9.1-cpu"]
