"""`verify-fix`: a fix is verified, and every kind of cheat is refused."""

from __future__ import annotations

import asyncio
import json
import re
from types import SimpleNamespace

import pytest

from tests.commands import call
from tests.validators.diagnose.fix.changes import BROKEN, CHEATS, EQUAL, FIX, MODEL, NAMED, TRAINED
from validators.cli import main
from validators.diagnose.findings.finding import Health, Steady, Verification
from validators.diagnose.fix.verify import _failure_of, steady_of
from validators.diagnose.report.render import verification_lines
from validators.diagnose.target.spec import parse_spec
from validators.runner.processes.outcome import DIED, LATE, Outcome


@pytest.fixture
def verify(tmp_path, warm):
    """Runs `verify-fix` on two forms of a model; the second changes parts of the first."""

    def run(before: dict[str, str] | None = None, *more: str, **after: str):
        parts = BROKEN | (before or {})
        (tmp_path / "before.py").write_text(MODEL.format(**parts))
        (tmp_path / "after.py").write_text(MODEL.format(**parts | after))
        words = ("verify-fix", "before.py:example", "after.py:example", "--json")
        more = more or ("--backend", "eager", "--quick")
        done = call(main, *words, *more, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done, json.loads(done.stdout) if done.stdout else {}

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "backend"),
    [("", "inductor"), pytest.param(TRAINED, "aot_eager", marks=pytest.mark.smoke)],
)
def test_a_fix_is_verified(verify, loss, backend):
    """With fewer breaks and equal results, in inference and in training; warm calls are timed."""
    done, found = verify({"loss": loss}, "--backend", backend, line=FIX)
    assert done.returncode == 0, done.stderr + done.stdout
    assert (found["refused"], found["named"]) == ([], [])
    assert found["after"]["breaks"] == 0 < found["before"]["breaks"]
    assert found["made_up"] > found["calls"]
    timed = found["steady"]
    assert timed["withheld"] == "" and 0 < timed["low"] <= timed["high"]


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_refused(verify, cheat):
    """And the reason says what it does."""
    before, after, said = CHEATS[cheat]
    done, found = verify(before, **after)
    assert done.returncode == 1, done.stderr + done.stdout
    assert any(re.search(said, it) for it in found["refused"]), found["refused"]


@pytest.mark.slow
@pytest.mark.parametrize("change", [*NAMED, *EQUAL])
def test_what_decides_nothing_is_named(verify, change):
    """A fix is verified beside it, and beside what cannot matter, of which nothing is said."""
    before, after, said = (NAMED | EQUAL)[change]
    done, found = verify(before, **after)
    assert done.returncode == 0, done.stderr + done.stdout
    named = found["named"]
    assert any(re.search(said, it) for it in named) if change in NAMED else not named, named


@pytest.mark.slow
def test_other_parameters_cannot_be_compared(verify):
    """One sentence, exit status 2."""
    done, _ = verify(setup="Net.__init__ = lambda self: nn.Module.__init__(self)", line=FIX)
    assert done.returncode == 2
    assert "the parameters differ" in done.stderr


@pytest.mark.slow
def test_a_factory_that_ends_its_process_is_told_once(verify):
    """By its name in the folder."""
    done, _ = verify(setup="import os; os._exit(3)", line=FIX)
    assert done.returncode == 2
    assert done.stderr.count("after.py:example: ") == 1


@pytest.mark.slow
def test_an_exception_is_told_with_its_cause(verify):
    """Its first line only says which backend raised it."""
    top = "def broken(graph, inputs): raise ValueError('no such op')\n"
    top += "torch._dynamo.register_backend(broken, name='broken')"
    done, found = verify({"top": top}, "--backend", "broken", "--quick", line=FIX)
    assert done.returncode == 1
    assert "raised: ValueError: no such op" in found["refused"][0]


def turns(*seconds):
    """Ten turns with some noise around these seconds."""
    return [it + noise / 100 for noise in range(5) for it in seconds]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (turns(0.5, 0.5), "warm calls: 0.50 to 0.5"),
        (turns(2.0, 2.0), "warm calls: 1.9"),
        (turns(1.01, 1.0), "warm calls: not decided whether faster: "),
    ],
)
def test_a_ratio_that_noise_explains_is_not_decided(other, said):
    """It is given all the same, beside that of the first model to itself."""
    told = {"first": turns(1.0, 1.0), "again": turns(1.0, 1.02), "other": other}
    health = Health(graphs=1, breaks=0, recompiles=0, limits=0, compiled=1.0, raised="")
    found = Verification(
        before=health,
        after=health,
        calls=2,
        made_up=9,
        better=[],
        refused=[],
        named=["it is old"],
        steady=steady_of({"withheld": "", "seconds": told}),
    )
    *_, timed, note, verdict = verification_lines(found)
    assert timed.startswith(said)
    assert (note, verdict) == ("note: it is old", "The fix is verified.")


def test_what_was_not_timed_is_told():
    """With the reason."""
    assert steady_of({"withheld": "it raises"}) == Steady(withheld="it raises")


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (
            Outcome({"raised": ["compiled, call 0 raises KeyError"], "different": []}),
            "compiled, call",
        ),
        (Outcome({"raised": [], "different": ["call 0: output differs"]}), "compiled, it computes"),
        (Outcome({"raised": [], "different": []}), ""),
        (Outcome(failure=f"{DIED[1]} SIGSEGV"), f"compiled, it {DIED[1]}"),
        (Outcome(failure=f"{LATE} 120 s"), ""),
    ],
)
def test_a_first_target_may_fail_where_it_is_compiled(outcome, said, tmp_path):
    """What takes too long decides nothing."""

    async def ask(*_, **__):
        return outcome

    spec = parse_spec("validators.nothing:example", tmp_path)
    found = asyncio.run(_failure_of(SimpleNamespace(ask=ask, timeout=9.0), spec, "recording"))
    assert found.startswith(said) and bool(found) == bool(said)
