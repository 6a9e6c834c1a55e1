"""What `run` says below a verdict, and after all of them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import msgspec
import pytest

from tests.commands import call
from tests.conftest import PROOF
from tests.world import BREAK, GRAPH, report
from validators.catalog import load_catalog
from validators.cli import main
from validators.cli.decide.saw import saw, where
from validators.cli.places import Places
from validators.evidence import Reports
from validators.probes.report import Caught, Recompile

RECOMPILE = Recompile("0/1", "f", ("x.size(0) == 1",))
SYMPTOM = {
    "graphs": (GRAPH,) * 8,
    "ops": 24,
    "recompiles": (RECOMPILE,) * 7,
    "facts": {"guards": 9, "\x1b[2J": 5},
}


@pytest.fixture
def said(tmp_path, write_case, make_record):
    """A function that says what was seen of a case with this predicate and these reports."""

    def say(shows: str, symptom: dict | None, remedy: dict, **fields) -> str:
        proof = f"{PROOF.partition('def shows')[0]}def shows(report):\n    return {shows}\n"
        write_case(tmp_path, "guards", "one", proof=proof, **fields)
        case = load_catalog(tmp_path).by_name["one"]
        reports = (symptom and json.loads(json.dumps(report(**symptom))), report(**remedy))
        record = msgspec.structs.replace(make_record(case), reports=Reports(*reports))
        return saw(case, record)

    return say


@pytest.mark.parametrize(
    ("shows", "line"),
    [
        ("len(report.graphs) > 1", "8 graphs → 1"),
        ("report.recompiles and report.graphs", "7 recompiles → 0, 8 graphs → 1"),
        ("report.mutated_inputs", ""),
        ("report.outputs", "7 recompiles → 0, 8 graphs → 1, 24 ops → 3"),
        ("report.facts['guards']", "guards 9 → 2"),
    ],
)
def test_the_numbers_that_decide_are_told(said, shows, line):
    """Those that differ; the usual ones where the predicate reads none."""
    remedy = {"facts": {"guards": 2, "\x1b[2J": 1}}
    assert said(shows, SYMPTOM, remedy) == (line and f"before → after the fix: {line}")


def test_an_exception_is_told(said):
    """By the last part of its name."""
    raised = {"exception": Caught("torch._dynamo.exc.Unsupported", "no", 1)}
    line = said("report.exception", raised, {})
    assert line == "before → after the fix: raises Unsupported → raises nothing"


def test_the_calls_are_told_only_if_nothing_else_is(said):
    """They are many numbers."""
    read = "report.compiled and report.graph_breaks"
    assert "each call" not in said(read, {"graph_breaks": (BREAK,)}, {})


def test_many_numbers_are_cut(said):
    """One line stays one line, and no name of a fact reaches the terminal as an escape."""
    facts = {f"fact {number}": number for number in range(8)}
    line = said(
        "report.facts",
        {"facts": facts | {"\x1b[2J": 1}},
        {"facts": dict.fromkeys(facts, 9) | {"\x1b[2J": 2}},
    )
    assert line.endswith(" and 5 more") and r"\x1b[2J 1 → 2" in line
    assert said("report.ops", {"ops": 2}, {}, kind="practice") == "without → with: 2 ops → 3"


def test_an_arm_without_a_report_has_nothing_to_tell(said):
    """It was skipped, or broke."""
    assert said("report.ops", None, {}) == ""


def test_where_to_read_more_is_told(tmp_path, write_case, monkeypatch):
    """The record's file, and the page of the built site if it is there, else the Markdown."""
    root = tmp_path / "playbooks" / "catalog"
    for number in range(7):
        write_case(root, "guards", f"case_{number}")
    cases = load_catalog(root).cases
    monkeypatch.chdir(tmp_path)
    assert list(where(Places(root), cases[:1])) == [
        "record: build/evidence/verdicts/case_0.json",
        "page: playbooks/catalog/guards/case_0.md",
    ]
    built = tmp_path / "build" / "site" / "catalog" / "case_0" / "index.html"
    built.parent.mkdir(parents=True)
    built.touch()
    several = list(where(Places(root), cases))
    assert several[:2] == ["records: build/evidence", "page: build/site/catalog/case_0/index.html"]
    assert several[-1] == "2 more pages: python -m validators show NAME"
    assert len(several) == 7


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="the arms need torch")
def test_a_newcomer_reads_what_happened(tmp_path, write_case, warm):
    """The verdict, what was seen, the record, the page: nothing else; all of it in `run` only."""
    proof = PROOF.replace("torch.sin,", "lambda x: print(x.max()),").replace("ones(4", "ones(3")
    write_case(tmp_path / "playbooks" / "catalog", "guards", "one", proof=proof, holds=[])
    place = ("--device", "cpu", "--witnesses", "none", "--catalog", "playbooks/catalog")
    done = call(main, "run", "one", *place, cwd=tmp_path)
    verdict, *rest = done.stdout.splitlines()
    assert verdict.startswith("confirmed     one  torch-")
    assert rest == [
        "  before → after the fix: 1 graph break → 0",
        "record: build/evidence/verdicts/one.json",
        "page: playbooks/catalog/guards/one.md",
    ]
    assert (tmp_path / rest[1].removeprefix("record: ")).is_file()
    every = call(main, "run-all", "--force", *place, cwd=tmp_path).stdout
    assert "1 case on torch-" in every and "→" not in every and "page:" not in every


def test_the_places_are_of_this_catalog(tmp_path):
    """As a path that leads there from anywhere."""
    assert Places(Path("/a/playbooks/catalog")).site == Path("/a/build/site")
