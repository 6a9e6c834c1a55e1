"""`show`: a case as a reader wants it, in a terminal and in a pipe."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.commands import call
from tests.terminal import in_terminal
from tests.world import BODY, EXAMPLE, name_casebook
from validators.catalog import load_catalog
from validators.cli import main
from validators.evidence import write_record

ROOT = Path(__file__).resolve().parents[4]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BRANCH = {"id": "GB0170", "type": "Data-dependent `if`"}
EXAMPLE_OF_PAGE = EXAMPLE.format(
    before="import torch\n\nx = torch.ones(2)\nif x.sum() > 1:\n    x = x + 1",
    after="import torch\n\nx = torch.ones(2)\nx = torch.where(x.sum() > 1, x + 1, x)",
)
PAGE = BODY.format(title="An `if` breaks the graph").replace(
    "## Symptom", f"{EXAMPLE_OF_PAGE}## Symptom"
)
HEAD = """\
An if breaks the graph
tensor_if (limitation, medium severity, graph_breaks, GB0170 Data-dependent if)
Status: affects torch 2.9.1 and 2.11.0 (CPU); undecided on a GPU

A Python if on a tensor breaks the graph.

Fix: Write torch.where in its place.

Example  - before, + after the fix
      import torch

      x = torch.ones(2)
    - if x.sum() > 1:
    -     x = x + 1
    + x = torch.where(x.sum() > 1, x + 1, x)

Symptom
  The frame is split in two.
"""
HOSTILE = """\
# A title &#27;[31m `&#27;`

&#27;[2J &#x9b;2J &#x202e;evil &#8238; <b onclick="x">bold</b> [link](http://a.b/&#27;[31m "t")

- &#x1b;]0;title&#7;

| &#27;[5m | ![&#27;c](x) |
|---|---|
| &#13;over | `&#27;` |

## Symptom &#27;[7m
"""


@pytest.fixture
def catalog(tmp_path, write_case, make_record) -> Path:
    """A case that two releases confirm, and another about the same graph break."""
    root = tmp_path / "playbooks" / "catalog"
    about = {"graph_break": BRANCH, "aliases": ["old_if"], "upstream": [{"issue": "a/b#1"}]}
    write_case(root, "graph_breaks", "tensor_if", body=PAGE, **about)
    write_case(root, "memory", "only_one", graph_break={"id": "GB0007", "type": "Other"})
    name_casebook(root)
    for torch in ("2.11.0", "2.9.1"):
        record = make_record(load_catalog(root).by_name["tensor_if"], torch=torch)
        write_record(root.parent / "evidence", record)
    return root


def show(catalog: Path, *arguments: object):
    """The finished command."""
    return call(main, "show", *arguments, "--catalog", catalog, cwd=catalog.parents[1])


def test_the_fix_stands_above_the_page(catalog):
    """What it is, its status in one line, what happens, the fix, both programs; no marks."""
    done = show(catalog, "tensor_if")
    assert done.returncode == 0 and done.stdout.startswith(HEAD)
    assert "`" not in done.stdout.partition("\nReproducer")[0]


def test_what_decides_stands_at_the_end(catalog):
    """The claim, each column by release, upstream, the proof with its place, how to run it."""
    tail = show(catalog, "tensor_if").stdout.partition("\nClaim\n")[2]
    assert tail.startswith(
        "  In the default configuration, a Python if on a tensor breaks the graph"
    )
    assert "\n  confirmed  torch-2.9.1-cpu\n  confirmed  torch-2.11.0-cpu\n" in tail
    assert "\n  a/b#1\n" in tail
    place = "playbooks/catalog/graph_breaks/tensor_if.py"
    assert f"\nReproducer  {place}\n    import torch\n" in tail
    assert tail.endswith("\nRun it: python -m validators run tensor_if\n")


@pytest.mark.parametrize("name", ["tensor_if", "tensor-if", "old-if", "gb170", "GB0170"])
def test_every_name_shows_the_case(catalog, name):
    """An id with one case is that case."""
    assert show(catalog, name).stdout.startswith(HEAD)


def test_an_id_with_several_cases_lists_them(catalog, write_case):
    """With their fixes and the command that opens one; JSON has room for one only."""
    write_case(catalog, "memory", "other_if", graph_break=BRANCH)
    said = show(catalog, "gb0170").stdout
    assert said.startswith("GB0170 (Data-dependent if): 2 cases\n\ntensor_if\n  An if breaks")
    assert "\nother_if\n  A branch on a tensor\n  Fix: Write torch.where in its place.\n" in said
    assert said.endswith("\nOpen one: python -m validators show tensor_if\n")
    refused = show(catalog, "gb0170", "--json")
    assert refused.returncode == 2
    assert refused.stderr == (
        "Error: --json: 2 cases are about gb0170; name one of tensor_if, other_if\n"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GB9999", "no case is about GB9999; see PyTorch's https://"),
        ("tensor-of", "no case is named 'tensor-of'; did you mean tensor_if?"),
    ],
)
def test_an_unknown_name_is_one_sentence(catalog, name, said):
    """With where to look instead."""
    done = show(catalog, name)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_a_retired_case_says_so(catalog, write_case):
    """Where others have their status."""
    write_case(catalog, "memory", "gone", superseded_by="tensor_if")
    assert "\nStatus: superseded by tensor_if\n" in show(catalog, "gone").stdout


def test_why_nothing_is_decided_is_said(catalog, make_record):
    """Beside the column."""
    case = load_catalog(catalog).by_name["only_one"]
    record = make_record(case, verdict="skipped", reason="it needs triton")
    write_record(catalog.parent / "evidence", record)
    said = show(catalog, "only_one").stdout
    assert "Status: not tried on torch 2.13.0 (CPU); undecided on a CPU; undecided on a GPU" in said
    assert "  skipped  torch-2.13.0-cpu  it needs triton\n" in said


def test_a_terminal_gets_colours_and_a_width_that_fits(catalog):
    """The same text in fewer columns; without a pager nothing waits for a key."""
    said = in_terminal("show", "tensor_if", "--no-pager", cwd=catalog.parents[1], columns=60)
    assert "\x1b[32m    + x = torch.where" in said
    assert "\x1b[31m    - if x.sum() > 1:" in said
    plain = ESCAPE.sub("", said)
    assert "\x1b" not in plain
    assert all(len(line) <= 60 for line in plain.split("\n") if not line.startswith("    "))
    assert plain.split() == show(catalog, "tensor_if").stdout.split()


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_refused(catalog, variables):
    """NO_COLOR leaves bold type, a dumb terminal nothing."""
    said = in_terminal("show", "tensor_if", cwd=catalog.parents[1], rows=99, **variables)
    assert not re.search(r"\x1b\[(?:\d;)?3\d", said)
    assert "TERM" not in variables or "\x1b" not in said


def test_what_is_longer_than_the_screen_is_paged(catalog, tmp_path):
    """By $PAGER; `cat` and a screen that is large enough need none."""
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {tmp_path}/paged\n")
    pager.chmod(0o755)
    place = {"cwd": catalog.parents[1], "PAGER": str(pager)}
    assert "Fix:" not in in_terminal("show", "tensor_if", rows=10, **place)
    assert (tmp_path / "paged").read_text().startswith(HEAD[:60])
    for arguments, rows in ((("--no-pager",), 10), ((), 200)):
        assert "Fix:" in in_terminal("show", "tensor_if", *arguments, rows=rows, **place)
    assert "Fix:" in in_terminal("show", "tensor_if", rows=10, **place | {"PAGER": "cat"})


@pytest.mark.skipif(not shutil.which("less"), reason="there is no less")
def test_less_keeps_colours_and_ends_with_q(catalog):
    """Where no variable says otherwise."""
    said = in_terminal("show", "tensor_if", cwd=catalog.parents[1], rows=10, keys="q")
    assert "\x1b[32m" in said or "\x1b[1;32m" in said
    assert "Run it" not in said


def test_nothing_of_a_page_reaches_the_terminal_as_an_escape(catalog, write_case):
    """Entities are the way around the refusal of control characters."""
    write_case(catalog, "memory", "hostile", body=HOSTILE, claim="a &#27;[2J b", fix="`&#x202e;`")
    place = {"cwd": catalog.parents[1], "rows": 200, "columns": 120}
    said = in_terminal("show", "hostile", **place)
    assert ESCAPE.sub("", said).replace("\n", "").isprintable()
    assert r"\u202eevil" in said
    assert set(ESCAPE.findall(said)) <= {
        f"\x1b[{it}m" for it in ("0", "1", "2", "36", "1;36", "1;32", "33")
    }
    piped = show(catalog, "hostile").stdout
    assert piped.replace("\n", "").isprintable()


def test_json_is_what_it_was(catalog):
    """The page is Markdown there, and the proof source."""
    said = json.loads(show(catalog, "tensor-if", "--json").stdout)
    assert said["page"].startswith("# An `if` breaks the graph\n")
    assert said["proof"].startswith("import torch\n")
    assert [it["column"] for it in said["records"]] == ["torch-2.9.1-cpu", "torch-2.11.0-cpu"]
