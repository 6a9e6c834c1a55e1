"""What an answer says of a case: its remedy in a line, and what is known of the release named."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.evidence import append
from validators.evidence.known import load_known
from validators.match.remedy import remedy_line, there

BODY = "# T\n\n## Symptom\n\nS.\n\n## Why\n\nW.\n\n## Remedy\n\n{}\n\n## How to tell\n\nH.\n"


@pytest.mark.parametrize(
    ("remedy", "line"),
    [
        ("Keep the tensor. Or not.", "Keep the tensor."),
        ("Use\n`torch.where`, see [here](x.md).", "Use `torch.where`, see here."),
        ("Set it: ```\nx\n```", "Set it:"),
        (
            "Then <!-- figure a b c -->6<!-- /figure --> graphs, by `case:x`",
            "Then 6 graphs, by `x`",
        ),
    ],
)
def test_the_first_sentence_of_the_remedy(tmp_path, write_case, remedy, line):
    """As plain text, without code, marks of figures or targets of links."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a", body=BODY.format(remedy))
    assert remedy_line(load_catalog(root).by_name["a"]) == line


@pytest.mark.parametrize(
    ("torch", "said"),
    [
        ("", ""),
        ("2.13", "confirmed on torch-2.13.0-cpu"),
        ("2.13.0", "confirmed on torch-2.13.0-cpu"),
        ("2.1", "not run on torch 2.1, and not expected to hold"),
        ("2.12.0", "not run on torch 2.12.0, where it is expected to hold"),
        ("2.15.1", "fixed in 2.15"),
    ],
)
def test_what_is_known_there(tmp_path, write_case, make_record, torch, said):
    """A verdict of that release before the fix, and the fix before what the page expects."""
    root = tmp_path / "playbooks/catalog"
    fix = [{"issue": "pytorch/pytorch#1", "fixed_in": "2.15"}]
    write_case(root, "guards", "a", holds=[{"torch": ">=2.11,<2.15"}], upstream=fix)
    case = load_catalog(root).by_name["a"]
    append(tmp_path / "evidence", make_record(case))
    records = load_known(tmp_path / "evidence", damaged=[])["a"].values()
    assert there(case, torch, records) == said
