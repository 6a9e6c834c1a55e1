"""What the tests of `diagnose` share."""

from __future__ import annotations

import pytest

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Diagnosis, Explanation, Finding, Part, Place
from validators.files import ROOT
from validators.knowing.knowledge import knowledge_of
from validators.repository import Repository

COLUMN = "torch-2.13.0-cpu"


@pytest.fixture(scope="session")
def repository():
    """Our own catalog and its evidence."""
    return Repository(ROOT / "playbooks" / "catalog")


@pytest.fixture(scope="session")
def catalog_names(repository):
    """The names of all cases."""
    return set(repository.catalog.by_name)


@pytest.fixture(scope="session")
def explainer(repository):
    """An explainer for a release that the evidence knows."""
    return Explainer(knowledge_of(repository), COLUMN, "2.13.0+cpu")


@pytest.fixture
def diagnosis():
    """A diagnosis with a finding of each rank."""
    known = Explanation("explained", "GB0170", "a_case", "A title", "Use `torch.where`.", "there")
    at = Place("model.py", 3, "if x.sum() > 0:")
    return Diagnosis(
        target="model.py:example",
        torch="2.13.0",
        python="3.11.7",
        column=COLUMN,
        calls=2,
        trains=False,
        findings=[
            Finding("graph_break", "graph break: a | b", "4 times in 4 calls", known, 4, place=at),
            Finding("crash", "call 0 raises", "does not run", Explanation("unknown", "KeyError")),
            Finding("static", "the source suggests trouble", "not run", known, place=at),
        ],
        parts=[Part("breaks", 1.0, "", {}), Part("gain", 2.0, "took longer than 3 s", {})],
    )
