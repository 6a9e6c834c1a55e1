"""Runs of examples, kept by case and column."""

from __future__ import annotations

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.errors import CasebookError
from validators.evidence.stored.examples import (
    ExampleRun,
    example_digest,
    examples_file,
    load_examples,
    merge_examples,
    overlaid_examples,
    printed_key,
    run_on,
    shown,
    write_example,
)


def run(before: str = "", after: str = "", **fields) -> ExampleRun:
    """A confirmed run that printed so."""
    plain = {"verdict": "confirmed", "digest": "d", "torch": "2.13.0"}
    keys = {"before": printed_key(before), "after": printed_key(after)}
    return ExampleRun(**(plain | keys | fields))


def test_columns_share_what_they_printed(tmp_path):
    """Each text stands once, and goes with the last run that names it."""
    write_example(tmp_path, "a", "torch-2.13.0-cpu", run("x", "y"), ("x", "y"))
    write_example(tmp_path, "a", "torch-2.15.0-cpu", run("x"), ("x", ""))
    stored = load_examples(tmp_path)["a"]
    assert sorted(stored.printed.values()) == ["x", "y"]
    assert list(stored.columns) == ["torch-2.13.0-cpu", "torch-2.15.0-cpu"]
    write_example(tmp_path, "a", "torch-2.13.0-cpu", run("x"), ("x",))
    assert list(load_examples(tmp_path)["a"].printed.values()) == ["x"]


def test_only_news_is_merged(tmp_path):
    """What is there already is not told again."""
    here, there = tmp_path / "here", tmp_path / "there"
    write_example(here, "a", "torch-2.13.0-cpu", run("x"), ("x",))
    key = ("a", "torch-2.13.0-cpu")
    assert merge_examples(there, load_examples(here), [key]) == ["a torch-2.13.0-cpu"]
    assert load_examples(there) == load_examples(here)
    assert merge_examples(there, load_examples(here), [key]) == []


def test_the_current_of_two_runs_counts(tmp_path, write_case):
    """A local run lies over the committed one, unless the example has changed since it ran."""
    write_case(tmp_path, "guards", "a", body=page_with_example("a = 1", "b = 2"))
    cases = load_catalog(tmp_path).by_name
    current = example_digest(cases["a"])

    def seen(under: str, over: str) -> str:
        folders = tmp_path / "under", tmp_path / "over"
        for folder, digest in zip(folders, (under, over), strict=True):
            told = run(folder.name, digest=digest, line=folder.name)
            write_example(folder, "a", "torch-2.13.0-cpu", told, (folder.name,))
        examples = overlaid_examples(*map(load_examples, folders), cases)
        found = run_on(examples, "a", "torch-2.13.0-cpu")
        assert examples["a"].printed[found.before] == found.line
        return found.line

    assert seen("old", current) == seen(current, current) == "over"
    assert seen(current, "old") == "under"


def test_a_damaged_file_is_named(tmp_path):
    """And nothing of it is taken; whoever writes begins it anew."""
    write_example(tmp_path, "a", "torch-2.13.0-cpu", run(), ())
    file = examples_file(tmp_path, "a")
    file.write_text("{")
    damaged = []
    assert load_examples(tmp_path, damaged) == {}
    assert damaged[0].path == file
    with pytest.raises(CasebookError, match="holds no runs of an example"):
        load_examples(tmp_path)
    write_example(tmp_path, "a", "torch-2.13.0-cpu", run(), ())
    assert "a" in load_examples(tmp_path)


def test_the_digest_is_over_what_the_run_depends_on(tmp_path, write_case):
    """The programs and what is looked for; prose, summary and proof are not in it."""

    def digest(code: str = "a = 1", **fields) -> str:
        write_case(tmp_path, "guards", "a", body=page_with_example(code, "b = 2"), **fields)
        return example_digest(load_catalog(tmp_path).by_name["a"])

    first = digest()
    assert digest(summary="Another.", claim="Another.") == first
    assert len({first, digest("a = 2"), digest(signatures=["x"]), digest(torch_logs="aot")}) == 4
    write_case(tmp_path, "guards", "b")
    assert example_digest(load_catalog(tmp_path).by_name["b"]) == ""


def test_a_line_is_shown_without_its_prefix():
    """Time, process and file say nothing to a reader; what was not logged stays as it is."""
    assert shown("[0/0] [__graph_breaks] - Graph Break Reason: `if`") == "Graph Break Reason: 'if'"
    assert shown("RuntimeError: [1] x") == "RuntimeError: [1] x"
