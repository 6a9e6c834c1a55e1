"""A diagnosis that is interrupted tells what has ended by then."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from validators.diagnose import run
from validators.diagnose.findings.finding import Part
from validators.diagnose.target.spec import Spec

COUNTED = {
    "calls": 1,
    "rounds": 2,
    "trains": False,
    "graphs": 1,
    "compiled_share": 1.0,
    "breaks": [],
    "recompiles": [],
    "limits": [],
    "eager_calls": [],
    "raised": None,
}


@pytest.fixture
def interrupt(monkeypatch, explainer, tmp_path):
    """The diagnosis, interrupted after some parts."""

    def diagnose(*ended: str):
        async def work(_plan, _asking, _begun, told):
            for name in ended:
                told(Part(name, 1.0, "", dict(COUNTED)))
            raise KeyboardInterrupt

        monkeypatch.setattr(run, "_run", work)
        session = SimpleNamespace(ask=lambda questions: asyncio.run(questions(None)))
        env = SimpleNamespace(
            fingerprint=SimpleNamespace(torch="2.13.0", python="3.11"), column="torch-2.13.0-cpu"
        )
        spec = Spec("m", "f", tmp_path, (), None)
        plan = run.Plan(spec, ("breaks", "results"), {}, 9.0, locate=True)
        return run.diagnosed_by(session, plan, env, explainer, lambda _: None)

    return diagnose


def test_the_parts_that_ended_are_told(interrupt):
    """And which did not."""
    found = interrupt("breaks")
    assert [(it.name, it.failure) for it in found.parts] == [
        ("breaks", ""),
        ("results", "was interrupted"),
    ]


def test_without_a_part_there_is_nothing_to_tell(interrupt):
    """The command line says so in one sentence."""
    with pytest.raises(KeyboardInterrupt):
        interrupt()
