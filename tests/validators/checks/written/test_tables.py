"""Tables of cases in prose are made of front matter and of what examples printed."""

from __future__ import annotations

import pytest

from tests.world import page_with_example
from validators.checks.written.prose import fix_prose
from validators.evidence import write_record
from validators.evidence.stored.examples import SILENT, ExampleRun, example_digest, write_example
from validators.repository import Repository

BODY = page_with_example("import torch\ntorch.compile(f)", "import torch\ntorch.compile(g)")


@pytest.fixture
def world(tmp_path, write_case, write):
    """Three cases of two areas, and a guide with a table of each area; what is read of it."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "guards", "one", fix="Use `x | y`.", body=BODY)
    write_case(root, "guards", "two", fix="Use `z`.", signatures=["a \\d+ x\\.y fails (now|so)?"])
    write_case(root, "memory", "three", fix="Use `w`.", withdrawn="It was wrong.")
    write("playbooks/guides/a.md", "# A\n\n<!-- cases\ntwo\nguards/* -->\n<!-- /cases -->\n")
    return lambda: Repository(root)


def table(root) -> list[str]:
    """The rows of the guide."""
    lines = (root / "playbooks/guides/a.md").read_text().split("\n")
    return [line for line in lines if line.startswith("| ")][1:]


def test_named_cases_come_first_then_the_rest_of_the_area(world, tmp_path):
    """Each once; what is withdrawn is left out, and a bar does not end a cell."""
    assert fix_prose(world()) == [tmp_path / "playbooks/guides/a.md"]
    assert table(tmp_path) == [
        "| `x.y fails` | A branch on a tensor `case:two` (undecided) | Use `z`. |",
        "|  | T `case:one` (undecided) | Use `x \\| y`. |",
    ]
    assert fix_prose(world()) == []


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("[0/1] [__recompiles]     - 0/0: len(x) == 2  # return x", "`len(x) == 2`"),
        ("torch._dynamo.exc.Unsupported: a `b`", "`Unsupported: a 'b'`"),
        ("/lib/torch/a.py:12: UserWarning: slow", "`UserWarning: slow`"),
        ("RuntimeError: kernel, a/b.cpp:3, index out", "`RuntimeError: index out`"),
        ("word " * 30, "`" + "word " * 14 + "…`"),
        (SILENT, "*silent*"),
    ],
)
def test_a_row_shows_what_the_example_printed(world, tmp_path, make_record, line, shown):
    """On the newest torch, without what a log puts around it."""
    case = world().catalog.by_name["one"]
    folder = tmp_path / "playbooks/evidence"
    write_record(folder, make_record(case))
    for torch, text in (("2.9.1", "old"), ("2.13.0", line)):
        run = ExampleRun(verdict="confirmed", digest=example_digest(case), torch=torch, line=text)
        write_example(folder, "one", f"torch-{torch}-cpu", run, ())
    fix_prose(world())
    assert table(tmp_path)[1] == f"| {shown} | T `case:one` | Use `x \\| y`. |"


def test_a_table_that_is_out_of_date_is_a_problem(world, tmp_path, check, write):
    """As are a name that is no case and a mark without its other half."""
    told = [it for it in check()[1] if "guides/a.md" in it]
    assert told == [
        "playbooks/guides/a.md:1: has a table of cases that is out of date; "
        "run `python -m validators check --fix`"
    ]
    fix_prose(world())
    assert not [it for it in check()[1] if "guides/a.md" in it]
    write("playbooks/guides/a.md", "# A\n\n<!-- cases four -->\n<!-- /cases -->\n")
    assert any("`cases`: 'four' is not a case" in it for it in check()[1])
    write("playbooks/guides/a.md", "# A\n\n<!-- cases one -->\n")
    assert any("has half a table mark" in it for it in check()[1])
