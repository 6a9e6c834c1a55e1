"""The files of real models."""

from __future__ import annotations

import sys

import pytest

from tests.corpus import MODEL
from validators.corpus.models import load_models, pins, versions_in
from validators.errors import CasebookError


def test_a_file_is_a_model(corpus):
    """With what it imports beyond torch, and the functions that it defines."""
    (model,), problems = load_models(corpus.root)
    assert (model.name, model.about) == ("net", "A net that branches (shop).")
    assert model.imports == ("msgspec",)
    assert not model.fixed
    assert not problems


def test_the_digest_is_of_the_program(corpus):
    """Another comment changes nothing; another number does."""
    digests = []
    for text in (MODEL, f"{MODEL}# a comment\n", MODEL.replace("Linear(2", "Linear(3")):
        corpus.write("net.py", text)
        digests.append(load_models(corpus.root)[0][0].digest)
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("msgspec.py", MODEL, "hides the package msgspec"),
        ("net.py", MODEL.replace("example", "sample"), "defines no example()"),
        ("net.py", "def example(): ...\n", "does not say what the model is"),
        ("net.py", "def example(:\n", "is not Python"),
    ],
)
def test_a_defect_is_named(corpus, name, text, said):
    """One sentence each."""
    corpus.write(name, text)
    assert [said in it.message for it in load_models(corpus.root)[1]] == [True]


def test_pins_are_read(corpus):
    """Those of both extras, only exact ones, and what fits one release of torch alone."""
    (corpus.root / "pyproject.toml").write_text(
        "[project.optional-dependencies]\n"
        'models = ["one==1.2", "two>=3"]\nmodels-alone = ["three==4"]\nsite = ["four==5"]\n'
        'models-torch-2-15 = ["three==5"]\n'
    )
    assert pins(corpus.root, "2.13.0+cpu") == {"one": "1.2", "three": "4"}
    assert pins(corpus.root, "2.15.0") == {"one": "1.2", "three": "5"}


def test_an_interpreter_says_what_it_has():
    """The distribution and version of what is there, nothing about the rest."""
    found = versions_in(sys.executable, ["yaml", "no_such_package"])
    assert list(found) == ["yaml"]
    assert found["yaml"][0] == "PyYAML"


def test_an_interpreter_that_says_nothing():
    """One sentence with a remedy."""
    with pytest.raises(CasebookError, match="cannot list its packages"):
        versions_in("/bin/true", ["yaml"])
