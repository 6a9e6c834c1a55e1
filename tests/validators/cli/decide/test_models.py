"""`models` as a user runs it."""

from __future__ import annotations

import pytest

from tests.commands import call
from tests.corpus import COLUMN, MODEL, graph_break
from tests.schemas import valid
from validators.cli import main
from validators.corpus.records.record import load_records, record_file

BREAKS = '''"""A net that branches, of torch."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return self.layer(x)


class Fixed(Net):
    def forward(self, x):
        return self.layer(torch.where(x.sum() > 0, x * 2, x))


def example(net=Net):
    """Two sizes."""
    torch.manual_seed(0)
    return net(), [(torch.randn(n, 4),) for n in (2, 3)]


def fixed():
    """No branch."""
    return example(Fixed)
'''


@pytest.fixture
def models(corpus, warm):
    """Runs `models` on the repository of the corpus."""

    def run(*arguments: str):
        place = ("--catalog", str(corpus.catalog))
        done = call(main, "models", *place, *arguments, cwd=corpus.root)
        assert "Traceback" not in done.stderr
        return done

    return run


def test_the_summary_reads_records(models, corpus):
    """It has the table, the share that is explained, and what is open; it fits the schema."""
    corpus.record(graph_break("words"))
    done = models("--summary", "--json")
    assert done.returncode == 0, done.stderr
    found = valid("models", done.stdout)
    assert found["models"][0]["row"]["unknown"] == 1
    assert found["open"][0]["place"] == "site-packages/shop/model.py:7"
    text = models("--summary").stdout
    assert f"{COLUMN}: 1 models, 1 findings; diagnose explains 0%" in text


def test_the_summary_tells_of_a_stale_record(models, corpus):
    """Exit status 1."""
    corpus.record()
    corpus.write("net.py", MODEL.replace("Linear(2", "Linear(3"))
    done = models("--summary")
    assert done.returncode == 1
    assert "net: the record is out of date: net.py has changed since" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "nothing: is not a model; name one of lacks, net"),
        (["lacks"], "lacks: there is no package no_such_package; tools/models.sh"),
        (["--python", "/bin/true"], "/bin/true"),
    ],
)
def test_a_wrong_argument_is_one_sentence(models, corpus, arguments, said):
    """Exit status 2."""
    corpus.write("lacks.py", MODEL.replace("msgspec", "no_such_package"))
    done = models(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_damaged_settlement_is_one_sentence(models, corpus):
    """It names the file."""
    corpus.write("shop.yaml", "---\nsettled: 3\n")
    done = models("--summary")
    assert done.returncode == 2
    assert "shop.yaml" in done.stderr


@pytest.mark.slow
def test_a_model_is_run_recorded_and_compared(models, corpus):
    """The break is found and its repair verified; a run agrees with the record until it changes."""
    corpus.write("net.py", BREAKS)
    corpus.write("lacks.py", MODEL.replace("msgspec", "no_such_package"))
    recorded = models("--record")
    assert recorded.returncode == 0, recorded.stderr + recorded.stdout
    assert "lacks: left out: there is no package no_such_package" in recorded.stdout
    assert "fix verified" in recorded.stdout
    (record,) = load_records(corpus.evidence)[0].values()
    file = record_file(corpus.evidence, record.model, record.column)
    assert record.breaks["breaks"][0]["places"][0] == {
        "file": "reference_models/real/net.py",
        "line": 13,
        "code": "if x.sum() > 0:",
    }
    assert str(corpus.root) not in file.read_text()
    file.write_text(file.read_text().replace('"graphs": ', '"graphs": 1'))
    differs = models("net")
    assert differs.returncode == 1, differs.stderr + differs.stdout
    assert "differs: graphs: " in differs.stdout
    assert differs.stdout.count("differs: ") == 1
