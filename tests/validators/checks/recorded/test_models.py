"""What `check` says of real models."""

from __future__ import annotations

from tests.corpus import MODEL, SETTLED, graph_break
from validators.checks.recorded.models import check_models


def said(corpus):
    """The problems, each with its file."""
    return [f"{it.path.name}: {it.message}" for it in check_models(corpus.repository())]


def test_nothing_is_wrong(corpus):
    """With a record of the present file, and a settlement that it needs."""
    corpus.case("branch")
    corpus.record(graph_break("words"))
    corpus.write("shop.yaml", SETTLED)
    assert said(corpus) == []


def test_a_model_that_has_not_run_is_undecided(corpus):
    """It may need settlements that no record needs."""
    assert said(corpus) == []
    corpus.case("branch")
    corpus.write("shop.yaml", SETTLED)
    assert said(corpus) == []


def test_a_record_goes_stale(corpus):
    """When the model's file changes."""
    corpus.record()
    corpus.write("net.py", MODEL.replace("Linear(2", "Linear(3"))
    (message,) = said(corpus)
    assert "is out of date: net.py has changed since" in message


def test_another_pin_makes_a_record_stale(corpus):
    """The record names the version that it was made with."""
    corpus.record()
    extra = '[project.optional-dependencies]\nmodels = ["msgspec==9"]\n'
    (corpus.root / "pyproject.toml").write_text(extra)
    (message,) = said(corpus)
    assert "made with msgspec 0.19.0, and pyproject.toml pins 9" in message


def test_a_record_of_no_model(corpus):
    """The model was renamed or removed."""
    corpus.record(model="net")
    corpus.write("net.py", MODEL).rename(corpus.root / "reference_models/real/another.py")
    assert any("net is not a model; delete the file" in it for it in said(corpus))


def test_a_settlement_that_nothing_needs(corpus):
    """Since the finding is explained, or gone."""
    corpus.case("branch", signatures=["a strange thing"])
    corpus.record(graph_break())
    corpus.write("shop.yaml", SETTLED)
    (message,) = said(corpus)
    assert "no open finding needs the entry shop/model.py: 'if x.sum()'" in message


def test_a_settlement_by_no_case(corpus):
    """Cases may be renamed."""
    corpus.record(graph_break("words"))
    corpus.write("shop.yaml", SETTLED)
    assert said(corpus) == ["shop.yaml: branch is not a case; name one"]


def test_a_settlement_without_a_reason(corpus):
    """Every field is needed."""
    corpus.record(graph_break("words"))
    corpus.write("shop.yaml", SETTLED.replace("because", "why"))
    assert [it.startswith("shop.yaml: ") for it in said(corpus)] == [True]
