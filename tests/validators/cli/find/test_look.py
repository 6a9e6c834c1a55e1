"""`list` and `status`: their filters, their rows, their width."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from tests.commands import call
from tests.terminal import in_terminal
from tests.world import name_casebook
from validators.catalog import load_catalog
from validators.cli import main
from validators.cli.find.filters import STATES
from validators.evidence import write_record
from validators.evidence.status import Overall

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
CASES = {
    "print_breaks": ("graph_breaks", {"severity": "high", "since": "Torch 2.11 brought it."}),
    "if_breaks": ("graph_breaks", {"summary": "A Python `if` on a tensor; print it."}),
    "warm_cache": ("caching", {"kind": "practice", "severity": "low"}),
    "on_a_gpu": ("memory", {"devices": ["cuda"]}),
    "gone": ("memory", {"superseded_by": "on_a_gpu"}),
}
VERDICTS = {
    "2.11.0": {"print_breaks": "confirmed", "if_breaks": "confirmed", "gone": "confirmed"},
    "2.9.1": {"print_breaks": "refuted", "if_breaks": "skipped"},
}


@pytest.fixture
def catalog(tmp_path, write_case, make_record) -> Path:
    """Cases of every kind, decided on two releases; one record is of an older proof."""
    root = tmp_path / "playbooks" / "catalog"
    for name, (area, fields) in CASES.items():
        body = f"# Title of `{name}`\n"
        write_case(root, area, name, body=body, **fields)
    name_casebook(root)
    cases = load_catalog(root).by_name
    for torch, verdicts in VERDICTS.items():
        for name, verdict in verdicts.items():
            write_record(
                tmp_path / "playbooks" / "evidence",
                make_record(cases[name], torch, verdict=verdict),
            )
    write_record(tmp_path / "playbooks" / "evidence", make_record("warm_cache", "2.9.1"))
    return root


def look(catalog: Path, *arguments: object):
    """The finished command."""
    return call(main, *arguments, "--catalog", catalog, cwd=catalog.parents[1])


def names(catalog: Path, *filters: str) -> list[str]:
    """The cases that `list` names, in JSON and in text."""
    in_json = json.loads(look(catalog, "list", *filters, "--json").stdout)["cases"]
    found = [case["name"] for case in in_json]
    assert [
        line.split()[0] for line in look(catalog, "list", *filters).stdout.splitlines()
    ] == found
    in_status = json.loads(look(catalog, "status", *filters, "--json").stdout)["cases"]
    assert [case["name"] for case in in_status] == [name for name in found if name != "gone"]
    return found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ("--area graph_breaks", ["if_breaks", "print_breaks"]),
        ("--area graph-breaks --area caching", ["warm_cache", "if_breaks", "print_breaks"]),
        ("--kind practice", ["warm_cache"]),
        ("--severity high --severity low", ["warm_cache", "print_breaks"]),
        ("--status confirmed", ["if_breaks", "print_breaks"]),
        ("--status refuted", ["print_breaks"]),
        ("--status differs", ["print_breaks"]),
        ("--status skipped", ["if_breaks"]),
        ("--status stale", ["warm_cache"]),
        ("--status undecided", ["on_a_gpu"]),
        ("--status retired", ["gone"]),
        ("--torch 2.9 --status confirmed", []),
        ("--torch 2.11.0 --status undecided", ["warm_cache", "on_a_gpu"]),
        ("--torch 2.9.1 --status refuted", ["print_breaks"]),
        ("--grep print", ["if_breaks", "print_breaks"]),
        ("--grep PRINT --severity high", ["print_breaks"]),
        ("--area graph_breaks --kind practice", []),
    ],
)
def test_filters_combine(catalog, filters, found):
    """Values of one filter are alternatives; JSON has the same cases."""
    assert names(catalog, *filters.split()) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("python tensor; PRINT it", ["if_breaks"]),
        ("title print breaks", ["if_breaks", "print_breaks"]),
        ("print_breaks", ["print_breaks"]),
        ("title of print_breaks", ["print_breaks"]),
        ("nothing", []),
    ],
)
def test_each_word_is_looked_for(catalog, words, found):
    """In the name, with or without underscores, the title and the summary; not the backticks."""
    assert names(catalog, "--grep", words) == found


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (
            "--area gards",
            "--area: 'gards' is not an area; use one of caching, graph_breaks, memory",
        ),
        ("--kind bug", "--kind: 'bug' is not a kind; use one of limitation, practice, retraction"),
        ("--severity huge", "--severity: 'huge' is not a severity; use one of low, medium, high"),
        (
            "--status good",
            "--status: 'good' is not a status; use one of confirmed, refuted, remedy-",
        ),
        (
            "--torch 2.1",
            "--torch: '2.1' is not a recorded release; use one of 2.9.1, 2.11.0",
        ),
    ],
)
def test_a_value_that_there_is_not_is_one_sentence(catalog, filters, said):
    """It names those that there are."""
    for command in ("list", "status"):
        done = look(catalog, command, *filters.split())
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"Error: {said}") and done.stderr.count("\n") == 1


def test_every_status_can_be_asked_for():
    """The list of them is complete."""
    known = [it for part in get_args(Overall) for it in get_args(part) or [part]]
    flat = [it for part in known for it in get_args(part) or [part]]
    assert set(STATES) == set(flat)


def test_in_a_pipe_each_case_is_one_line(catalog):
    """With everything that is known of it, and its title at the end."""
    lines = look(catalog, "list").stdout.splitlines()
    assert len(lines) == len(CASES)
    words = "print_breaks graph_breaks limitation affects; does not affect Title of print_breaks"
    assert lines[2].split() == words.split()
    head, *rows = look(catalog, "status").stdout.splitlines()
    assert head.split() == ["case", "torch-2.9.1-cpu", "torch-2.11.0-cpu", "title"]
    assert rows[2].split() == [
        "print_breaks",
        *("does", "not", "affect"),
        "affects",
        "Title",
        "of",
        "print_breaks",
    ]


def test_a_release_limits_what_is_shown(catalog):
    """Other columns are not there, and their verdicts do not count."""
    lines = look(catalog, "list", "--torch", "2.9").stdout.splitlines()
    assert lines[2].split()[3:6] == ["not", "shown", "Title"]
    said = json.loads(look(catalog, "status", "--torch", "2.9", "--json").stdout)
    assert said["columns"] == ["torch-2.9.1-cpu"]


@pytest.mark.parametrize(("columns", "lines_each"), [(60, 2), (140, 1)])
def test_a_terminal_gets_titles_below_where_they_do_not_fit(catalog, columns, lines_each):
    """In colours, within the width, with a count."""
    said = in_terminal("list", cwd=catalog.parents[1], columns=columns)
    assert "\x1b[1;36mwarm_cache" in said
    lines = ESCAPE.sub("", said).splitlines()
    assert lines[-1] == "5 cases"
    assert len(lines) == 5 * lines_each + 1
    few = in_terminal("list", "--kind", "practice", cwd=catalog.parents[1], columns=columns)
    assert ESCAPE.sub("", few).splitlines()[-1] == "1 of 5 cases"


def test_a_narrow_terminal_gets_symbols(catalog):
    """A word a cell has no room there; what the symbols mean is said."""
    said = ESCAPE.sub("", in_terminal("status", cwd=catalog.parents[1], columns=40))
    lines = said.splitlines()
    assert lines[0].split() == ["case", "2.9.1", "2.11.0"]
    assert lines[1].split() == ["warm_cache", "↻", "?"]
    assert lines[2] == "    Title of warm_cache"
    assert "● affects" in said and "↻ not run since its last change" in said
    wide = ESCAPE.sub("", in_terminal("status", cwd=catalog.parents[1], columns=100))
    assert wide.splitlines()[0].split() == ["case", "torch-2.9.1-cpu", "torch-2.11.0-cpu"]


@pytest.mark.parametrize("command", ["list", "status"])
def test_a_long_list_is_paged(catalog, tmp_path, command):
    """On a terminal, unless it is not wanted."""
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {tmp_path}/paged\n")
    pager.chmod(0o755)
    place = {"cwd": catalog.parents[1], "rows": 4, "PAGER": str(pager)}
    assert "print_breaks" not in in_terminal(command, **place)
    assert "print_breaks" in (tmp_path / "paged").read_text()
    assert "print_breaks" in in_terminal(command, "--no-pager", **place)
