"""Lines of `asked` are claims: what they name of the subject, the page or its proof treats."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks.asked import check_asked, load_names

NAMES = {"mark_static_address", "LayerNorm", "index_put_", "LSTM", "cat"}
BODY = "# T\n\n## Symptom\n\n{}\n\n## Why\n\nW.\n\n## Remedy\n\nR.\n\n## How to tell\n\nH.\n"


@pytest.fixture
def untreated(tmp_path, write_case):
    """The names that the check reports of a page with this line and this body."""

    def report(line, body="", **fields):
        root = tmp_path / "playbooks" / "catalog"
        write_case(root, "guards", "one", asked=[line], body=BODY.format(body), **fields)
        case = load_catalog(root).by_name["one"]
        return [problem.message.split("'")[1] for problem in check_asked(case, NAMES)]

    return report


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("would mark_static_address help", ["mark_static_address"]),
        ("an nn.LSTM is slow, and the LSTM once more", ["LSTM"]),
        ("set TORCH_LOGS or PYTORCH_CUDA_ALLOC_CONF", ["TORCH_LOGS", "PYTORCH_CUDA_ALLOC_CONF"]),
        ("my `past_key_values` in ComfyUI's TorchCompileModel", []),
        ("layernorm, Index_put_ and marked static addresses", []),
    ],
)
def test_which_names_count(untreated, line, names):
    """The subject's and variables; a user's own and other libraries' do not."""
    assert untreated(line) == names


@pytest.mark.parametrize(
    ("line", "body", "fields"),
    [
        ("would mark_static_address help", "`torch._dynamo.mark_static_address` does.", {}),
        ("a LayerNorm is slow", "A layer norm is slow.", {}),
        ("x.index_put_ fails", "`index_put` does the same.", {}),
        ("TORCHDYNAMO_SUPPRESS_ERRORS=1", "Set `suppress_errors`.", {}),
        ("LSTM", "", {"claim": "Of an LSTM it is true."}),
        ("LSTM", "", {"aliases": ["lstm"]}),
        ("LSTM", "", {"signatures": ["in nn.LSTM"]}),
        ("LSTM", "", {"proof": "def symptom(device):\n    nn.LSTM(1, 1)\n"}),
    ],
)
def test_what_is_treated(untreated, line, body, fields):
    """In the body, the claim, an alias, a signature or the proof, however it is spelled."""
    assert untreated(line, body, **fields) == []


def test_a_line_that_is_not_found_as_it_stands_is_named_by_its_field(tmp_path, write_case):
    """As one in quotes with escapes."""
    root = tmp_path / "playbooks" / "catalog"
    page = write_case(root, "guards", "one", asked=["LSTM"])
    page.write_text(page.read_text().replace("LSTM", '"\\x4cSTM"'))
    (problem,) = check_asked(load_catalog(root).by_name["one"], NAMES)
    assert page.read_text().split("\n")[problem.line - 1].startswith("asked:")


@pytest.mark.parametrize("body", ["LSTMs", "catalog"])
def test_a_short_name_has_to_stand_by_itself(untreated, body):
    """Within another word it is by chance."""
    assert untreated("LSTM or cat", body)


def test_without_names_of_a_subject_nothing_of_it_is_asked(tmp_path):
    """A casebook need not have them."""
    assert load_names(tmp_path) == frozenset()
    (tmp_path / "subject_names.txt").write_text("cat\ndog\n")
    assert load_names(tmp_path) == {"cat", "dog"}
