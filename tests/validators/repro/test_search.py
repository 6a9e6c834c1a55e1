"""In which order parts are tried, with a target that only says which parts fail."""

from __future__ import annotations

import asyncio

import pytest

from validators.repro.result import Trial
from validators.repro.search import BACKENDS, smallest


class Target:
    """Answers as a worker would: `fails` says whether a part shows the failure."""

    def __init__(self, fails, calls=3, children=(), trains=False) -> None:
        self.fails, self.children, self.tried = fails, children, []
        self.known = {"calls": calls, "trains": trains}

    async def shows(self, what: str, trial: Trial) -> bool:
        """Note what was tried."""
        self.tried.append(what)
        return self.fails(trial)

    async def ask(self, part: str, trial: Trial):
        """The number of calls, or the submodules nearest below a path."""
        if part == "count":
            return self.known
        depth = trial.path.count(".") + 1 if trial.path else 0
        below = [it for it in self.children if it[0].startswith(trial.path)]
        near = [it for it in below if it[0].count(".") == depth]
        return {"children": [{"path": path, "type": kind, "calls": 2} for path, kind in near]}


def found(*given, **options) -> Trial | None:
    """The smallest part of such a target."""
    return asyncio.run(smallest(Target(*given, **options)))


def test_the_first_backend_that_fails_is_kept():
    """Later backends do all that it does."""
    trial = found(lambda it: BACKENDS.index(it.backend) >= 1)
    assert trial and trial.backend == "aot_eager"


@pytest.mark.parametrize("needed", [{1}, {0, 2}, {0, 1, 2}])
def test_only_the_calls_that_matter_are_kept(needed):
    """One, a pair that need not be neighbours, or all."""
    trial = found(lambda it: needed <= {*it.calls})
    assert trial and {*trial.calls} == needed


def test_calls_are_made_twice_where_once_shows_nothing():
    """A cache is full only then."""
    trial = found(lambda it: it.calls.count(1) == 2, calls=2)
    assert trial and trial.calls == [1, 1]


def test_a_failure_of_the_diagnosis_alone_is_no_part():
    """The whole target is tried with each backend, and its calls once and twice."""
    target = Target(lambda _: False)
    assert asyncio.run(smallest(target)) is None
    assert len(target.tried) == 2 * len(BACKENDS)


def test_the_search_goes_down_while_a_submodule_fails():
    """One submodule of each type is tried before the next of a type."""
    children = [("a", "Fine"), ("b", "Fine"), ("c", "Block"), ("c.d", "Fine"), ("c.e", "Bad")]
    target = Target(lambda it: it.path in ("", "c", "c.e"), children=children)
    trial = asyncio.run(smallest(target))
    assert trial and (trial.path, trial.inner) == ("c.e", [0])
    below = [it.split()[1] for it in target.tried if it.startswith("submodule")]
    assert below == ["a", "c", "c.d", "c.e"]


@pytest.mark.parametrize(
    ("losses", "kept"), [(("none", "total", "own"), "none"), (("total", "own"), "total")]
)
def test_a_training_step_is_left_out_where_it_does_not_matter(losses, kept):
    """A made-up loss needs no source."""
    trial = found(lambda it: it.loss in losses, trains=True)
    assert trial and trial.loss == kept
