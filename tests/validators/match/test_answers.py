"""What an answer says of a case: its remedy in a line, and what is known of the release named."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.match.answers import answer_of, remedy_line, status_on

BODY = "# T\n\n## Symptom\n\nS.\n\n## Why\n\nW.\n\n## Remedy\n\n{}\n\n## How to tell\n\nH.\n"


@pytest.mark.parametrize(
    ("remedy", "line"),
    [
        ("Keep the tensor as it is. Or not.", "Keep the tensor as it is."),
        ("Use\n`torch.where`, see [here](x.md).", "Use `torch.where`, see here."),
        ("Remove it. It does nothing. Or not.", "Remove it. It does nothing."),
        ("Count:\n\n| a | b |\n|---|---|\n\nThe second is better.", "Count: The second is better."),
        (
            "Set the flag before the call:\n\n```sh\nX=1\n```\n\nOr not.",
            "Set the flag before the call: `X=1`",
        ),
        (
            "```python\nimport a\n\n# b\nf(a)\ng()\n```\n\ngives 2 graphs, not 1.",
            "`f(a) …` gives 2 graphs, not 1.",
        ),
        (
            "Keep the function away:\n\n```python\n@no\ndef f():\n    g()\n```",
            "Keep the function away: `@no def f(): g()`",
        ),
        (
            "Import it without a fallback:\n\n```python\nfrom a import b\n```",
            "Import it without a fallback: `from a import b`",
        ),
        (
            "Then <!-- figure a b c -->6<!-- /figure --> graphs, by `case:x`",
            "Then 6 graphs, by `x`",
        ),
    ],
)
def test_how_the_remedy_begins(tmp_path, write_case, remedy, line):
    """As plain text, with the first statement of code, without marks of figures or links."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a", body=BODY.format(remedy))
    assert remedy_line(load_catalog(root).by_name["a"]) == line


@pytest.mark.parametrize(
    ("torch", "said"),
    [
        ("", ""),
        ("2.13", "confirmed on torch-2.13.0-cpu, refuted on torch-2.13.0-h100"),
        ("2.1", "not run on torch 2.1; refuted on torch-2.9.1-cpu"),
        (
            "2.9.2",
            "not run on torch 2.9.2; refuted on torch-2.9.1-cpu, confirmed on torch-2.13.0-cpu, "
            "refuted on torch-2.13.0-h100",
        ),
        (
            "2.14",
            "not run on torch 2.14; confirmed on torch-2.13.0-cpu, refuted on torch-2.13.0-h100",
        ),
        ("2.15.0", "fixed in 2.15"),
        ("3.0", "fixed in 2.15"),
    ],
)
def test_what_is_known_there(tmp_path, write_case, torch, said):
    """A verdict of that release before the fix, and the fix before the nearest releases."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a", upstream=[{"issue": "pytorch/pytorch#1", "fixed_in": "2.15"}])
    case = load_catalog(root).by_name["a"]
    decided = {"torch-2.13.0-h100": "refuted", "torch-2.9.1-cpu": "refuted"}
    answer = answer_of(case, decided | {"torch-2.13.0-cpu": "confirmed"})
    assert status_on(answer, torch) == said


def test_without_evidence_nothing_is_said_to_be_known(tmp_path, write_case):
    """Not what the page leads one to expect."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "a")
    answer = answer_of(load_catalog(root).by_name["a"], {})
    assert status_on(answer, "2.7") == "not run on torch 2.7; nothing has decided it"
