"""Examples stand alone and are short; what they did agrees with the proof."""

from __future__ import annotations

import pytest

from tests.world import page_with_example
from validators.catalog import example_is_for, load_catalog
from validators.checks.written.examples import check_example, check_example_runs
from validators.evidence import write_record
from validators.evidence.stored.examples import ABSENT, ExampleRun, example_digest, write_example
from validators.repository import Repository

GOOD = "import torch\ntorch.compile(f)"
COLUMN = "torch-2.13.0-cpu"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (GOOD, GOOD + "(1)", ""),
        (GOOD, GOOD + "\ntry:\n    import numpy\nexcept ImportError:\n    pass", ""),
        (GOOD, GOOD, "`after` equals `before`"),
        (GOOD, "import torch\n" + "torch.compile(f)\n\n" * 15, "`after` has 16 lines of code"),
        ("import torch\ntorch.compile(", GOOD, "`before` is not Python"),
        (GOOD + "\nfrom validators import probes", GOOD, "`before` imports 'validators'"),
        (GOOD + "\nimport numpy", GOOD, "`before` imports 'numpy'"),
        ("import torch\nf(1)", GOOD, ""),
        ("import torch\nf(1)", "import torch\nf(2)", "the example compiles nothing"),
    ],
)
def test_what_an_example_must_not_be(tmp_path, write_case, before, after, message):
    """The place is the line of the program that is wrong."""
    write_case(tmp_path, "guards", "a", body=page_with_example(before, after))
    problems = list(check_example(load_catalog(tmp_path).by_name["a"]))
    assert [message in problem.message for problem in problems] == [True] * bool(message)
    if "imports" in message:
        lines = (tmp_path / "guards" / "a.md").read_text().split("\n")
        assert lines[problems[0].line - 1] in ("from validators import probes", "import numpy")


def test_half_an_example_is_a_problem(tmp_path, write_case):
    """One block of two, and none at all is none."""
    body = page_with_example(GOOD, "x").replace('title="after"', "")
    write_case(tmp_path, "guards", "a", body=body)
    write_case(tmp_path, "guards", "b")
    cases = load_catalog(tmp_path).by_name
    assert "has an incomplete example" in next(check_example(cases["a"])).message
    assert not list(check_example(cases["b"]))


@pytest.mark.parametrize(
    ("verdict", "changes", "message"),
    [
        ("confirmed", {}, ""),
        ("refuted", {}, f"the example is refuted ({ABSENT}), the proof confirmed; fix one"),
        ("confirmed", {"digest": "old"}, "the example has changed since it ran"),
    ],
)
def test_a_run_agrees_with_the_proof(tmp_path, write_case, make_record, verdict, changes, message):
    """And is of the example as it stands."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "guards", "a", body=page_with_example(GOOD, GOOD + "(1)"))
    case = load_catalog(root).by_name["a"]
    write_record(root.parent / "evidence", make_record(case))
    fields = {"verdict": verdict, "reason": ABSENT, "digest": example_digest(case)} | changes
    write_example(root.parent / "evidence", "a", COLUMN, ExampleRun(torch="2.13.0", **fields), ())
    problems = [it.message for it in check_example_runs(Repository(root))]
    assert [message in problem for problem in problems] == [True] * bool(message)


def test_an_example_may_be_for_some_releases(tmp_path, write_case):
    """A run on another is a problem, as is a specifier that admits nothing."""
    root, body = tmp_path / "playbooks" / "catalog", page_with_example(GOOD, GOOD + "(1)")
    only = {"torch": ">=2.14", "why": "torch 2.13 prints nothing"}
    write_case(root, "guards", "a", body=body, example_on=only)
    case = load_catalog(root).by_name["a"]
    assert example_is_for(case.meta, "2.14.0", "cpu")
    assert not example_is_for(case.meta, "2.13.1", "cpu")
    assert not example_is_for(case.meta, "2.14.0", "cuda")
    fields = {"verdict": "refuted", "digest": example_digest(case), "torch": "2.13.0"}
    write_example(root.parent / "evidence", "a", COLUMN, ExampleRun(**fields), ())
    (problem,) = check_example_runs(Repository(root))
    assert "the example is for other releases or another device" in problem.message
    write_case(root, "guards", "a", body=body, example_on=only | {"torch": "new"})
    assert "`new` is not a version specifier" in load_catalog(root).problems[0].message


def test_an_example_may_need_a_gpu(tmp_path, write_case):
    """Though a CPU decides the claim; a limit that limits nothing is refused."""
    root, body = tmp_path / "playbooks" / "catalog", page_with_example(GOOD, GOOD + "(1)")
    only = {"device": "cuda", "why": "the warning is about the GPU"}
    write_case(root, "guards", "a", body=body, example_on=only, devices=["cpu"])
    meta = load_catalog(root).by_name["a"].meta
    assert example_is_for(meta, "2.13.0", "cuda") and not example_is_for(meta, "2.13.0", "cpu")
    assert meta.example_on.where == "a GPU"
    write_case(root, "guards", "a", body=body, example_on={"why": "nothing"})
    assert "limits nothing" in load_catalog(root).problems[0].message


def test_runs_of_no_case_are_a_problem(tmp_path, write_case):
    """A file that is left when a page goes."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "guards", "a")
    run = ExampleRun(verdict="confirmed", digest="d", torch="2.13.0")
    write_example(root.parent / "evidence", "gone", COLUMN, run, ())
    (problem,) = check_example_runs(Repository(root))
    assert "gone is not a case" in problem.message
