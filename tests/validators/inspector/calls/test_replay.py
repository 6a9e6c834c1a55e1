"""Replaying recorded calls with another target."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.calls import recording, replay
from validators.inspector.calls.recording import loaded, record
from validators.inspector.loading.target import Target
from validators.probes.arguments import call

CALLS = tuple(call(torch.rand(n, 4)) for n in (3, 5))


class Model(torch.nn.Module):
    def __init__(self, wrong=""):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.wrong = wrong

    def forward(self, x):
        """Compute something else, or raise, for the dtype that is wrong."""
        name = str(x.dtype).removeprefix("torch.")
        if self.wrong == f"raises {name}":
            raise ValueError("not this one")
        return self.layer(x) * (2 if self.wrong == name else 1)


def target(wrong="", calls=CALLS):
    """A target for inference."""
    model = Model(wrong)
    return Target(model, model, calls, trains=False, again=lambda: target(wrong, calls))


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where a sound target is recorded; how the process draws random numbers stays as it is."""
    monkeypatch.setattr(replay, "same_random_numbers", lambda: None)
    place = str(tmp_path / "recording")
    record(target(), place)
    return place


@pytest.mark.parametrize(
    ("wrong", "part", "said"),
    [
        ("float32", "different", "call 0: output differs"),
        ("float64", "different", "call 0 in float64: output differs"),
        ("raises float32", "raised", "compiled, call 0 raises ValueError: not this one"),
        ("raises bfloat16", "named", "call 0 in bfloat16 raises ValueError: not this one"),
    ],
)
@pytest.mark.parametrize("most", [0, 16])
def test_many_graphs_are_compiled_once(path, monkeypatch, most, wrong, part, said):
    """All rounds are made all the same; what raises in a made-up dtype is only named."""
    monkeypatch.setattr(replay, "_MANY_GRAPHS", most)
    found = replay.replayed(
        replay.with_recorded_calls(target(wrong), path), path, {"backend": "eager"}
    )
    assert found[part][0].startswith(said)
    assert [name for name in ("raised", "different", "named") if found[name]] == [part]


def test_inductor_compiles_only_the_first_call_of_many_ops(path, monkeypatch):
    """Later ones run by a backend that takes less time, and the answer says so."""
    used = []
    real = replay.compiled

    def compiled(run, options):
        used.append(options["backend"])
        return real(run, {**options, "backend": "eager"})

    monkeypatch.setattr(replay, "compiled", compiled)
    for most, slow in ((0, True), (300, False)):
        used.clear()
        monkeypatch.setattr(replay, "_MANY_OPS", most)
        right = replay.with_recorded_calls(target(), path)
        found = replay.replayed(right, path, {"backend": "inductor"}, own=True)
        assert (found["slow"], found["different"]) == (slow, [])
        assert used == ["inductor", "eager"][: 1 + slow]


def test_calls_that_eager_mode_refuses_are_left_out(tmp_path):
    """Of each round; a round without calls is none."""
    path = str(tmp_path / "recording")
    made = record(target("raises float64"), path)
    assert [it.dtype for it, _ in loaded(path).answered] == [None] * 6 + [
        torch.bfloat16,
        torch.float16,
    ]
    assert made["made_up"] == sum(len(it.calls) for it, _ in loaded(path).answered) - 2


class Loop(torch.nn.Module):
    def forward(self, x):
        """Halve until all is small; an infinity never is."""
        while x.abs().max() > 1:
            x = x / 2
        return x


def test_a_made_up_call_that_never_ends_is_left_out(tmp_path, monkeypatch):
    """After some seconds; the others are made."""
    monkeypatch.setattr(recording, "LONGEST", 0.5)
    model = Loop()
    made = Target(model, model, CALLS, trains=False, again=lambda: made)
    record(made, str(tmp_path / "recording"))
    names = [name for it, _ in loaded(str(tmp_path / "recording")).answered for name, _ in it.calls]
    assert "call 0 with a number that is nan" in names
    assert "call 0 with a number that is inf" not in names


def test_without_time_the_first_round_is_made(path):
    """And it is told that others are not."""
    wrong = replay.with_recorded_calls(target("float64"), path)
    found = replay.replayed(wrong, path, {"backend": "eager"}, seconds=1e-6)
    assert (found["different"], found["hasty"]) == ([], True)
    assert record(target(), path, seconds=1e-6)["hasty"]
    assert len(loaded(path).answered) == 1
