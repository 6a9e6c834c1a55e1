"""The switches of `diagnose`: which parts they choose, and what the worker is told."""

from __future__ import annotations

import json
from subprocess import CompletedProcess

import click
import pytest
from click.testing import CliRunner

from tests.commands import call
from validators.cli import main
from validators.cli.model.parts import Wanted, part_options, settings_of, sizes_of
from validators.diagnose.report import measured
from validators.errors import CasebookError

MODEL = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(4, width)

    def _forward_core(self, x):
        return self.layer(x).relu()

    def other(self, x):
        return x

    def forward(self, x):
        print("outside")
        return self._forward_core(x)


def example(large=False):
    return Net(8 if large else 2), [(torch.ones(2, 4),)]


class Loop(nn.Module):
    def forward(self, x):
        for _ in range(2):
            if x.sum() > 0:
                x = x + 1
        return x


def without_graphs():
    return Loop(), [(torch.ones(2, 4),)]


def fills():
    taken = []

    def take(x):
        taken.append(1)
        assert len(taken) < 4, "full"
        return x.sin() + 1

    return take, [(torch.ones(3),)]
"""


def wanted(*switches: str) -> Wanted:
    """The switches as the command gets them."""
    seen: list[Wanted] = []

    @click.command()
    @part_options
    def command(wanted: Wanted) -> None:
        seen.append(wanted)

    done = CliRunner().invoke(command, switches, catch_exceptions=False, standalone_mode=False)
    if done.exception:
        raise done.exception
    return seen[0]


@pytest.mark.parametrize(
    ("switches", "parts"),
    [
        ([], ["static", "breaks", "latency", "results", "shapes", "guards", "gain"]),
        (["--quick"], ["static", "breaks"]),
        (["--benchmark-guards"], ["guards"]),
        (["--benchmark-compile", "--only", "breaks"], ["breaks", "latency"]),
        (["--skip-baseline", "--skip-compile-bench", "--skip", "shapes"],
         ["static", "breaks", "results", "guards"]),
        (["--skip-graph-check", "--quick"], ["static"]),
        (["--quick", "--ablate-config", "a"], ["static", "breaks", "ablation"]),
    ],
)  # fmt: skip
def test_switches_choose_parts(switches, parts):
    """In one order, whatever the order of the switches."""
    assert wanted(*switches).parts("cpu") == parts


def test_cuda_graphs_are_for_gpus():
    """On a CPU the part is left out, or refused if it is asked for."""
    assert "cudagraphs" in wanted().parts("cuda")
    with pytest.raises(CasebookError, match="add --device cuda"):
        wanted("--only", "cudagraphs").parts("cpu")
    with pytest.raises(CasebookError, match="add --ablate-config"):
        wanted("--only", "ablation").parts("cpu")


def test_the_worker_is_told():
    """Sizes by dim, steps, options and the method."""
    told = wanted("--vary-batch", "2,4", "--vary-seq", "8", "--steps", "3", "--compile-core")
    assert told.shaping()["vary"] == {"0": [2, 4], "1": [8]}
    assert (told.shaping()["steps"], told.shaping()["core"]) == (3, "_forward_core")
    assert wanted("--compile-core=step").shaping()["core"] == "step"
    assert wanted("--whole").shaping()["whole"] and not told.shaping()["whole"]
    large = wanted("--large-scale").shaping()
    assert (large["at_least"], large["steps"], large["large"]) == (8, 20, True)


@pytest.mark.parametrize("text", ["", "2,", "two", "2;3", "-1"])
def test_sizes_are_numbers(text):
    """Everything else is refused in a sentence."""
    with pytest.raises(CasebookError, match="write --vary-batch 2,4,8"):
        sizes_of("--vary-batch", text)
    assert sizes_of("--vary-batch", "1,0, 4") == (1, 0, 4)


def test_options_of_inductor():
    """A name alone, or a name with a value."""
    given = "epilogue_fusion; max_autotune=False;cpp.simdlen=8;x=fast"
    assert settings_of(given) == (
        ("epilogue_fusion", None),
        ("max_autotune", False),
        ("cpp.simdlen", 8),
        ("x", "fast"),
    )
    for text in ("", ";", "=3"):
        with pytest.raises(CasebookError, match="--ablate-config"):
            settings_of(text)


def test_steps_that_pay_are_told_only_with_a_ratio():
    """A gain that noise could explain pays for nothing."""
    found = {"timed": "the first call", "medians": {"eager": 3.0, "compiled": 1.0}}
    assert list(measured.gain_lines(found, 10.0, decided=True)) == [
        "compiling pays for itself after 5 steps"
    ]
    assert list(measured.gain_lines(found, 10.0, decided=False)) == []


def test_a_first_call_from_a_cache_is_said():
    """It would be taken for a cheap compilation; phases are parts of the time."""
    phases = {"dynamo": 1.0, "aot_autograd": 1.0, "inductor": 2.0}
    whole = {"cpu_seconds": 3.0, "ops": 7, "cached": 1, "phases": phases, "raised": None}
    (line,) = measured.latency_lines({"whole": whole, "regional": None})
    assert "1 graphs from a warm cache" in line
    assert "(Dynamo 25%, AOTAutograd 25%, Inductor 50% of the time)" in line
    assert list(measured.latency_lines({"whole": None, "regional": None})) == [
        "first call: not known"
    ]


def test_an_option_that_noise_could_explain_is_not_decided():
    """The default against itself is the noise floor."""
    noisy = {"default": [1.0, 2.0, 1.0], "again": [2.0, 1.0, 1.0], "changed": [1.0, 1.0, 1.0]}
    assert "not decided" in measured._times_as_fast({"medians": {}, "seconds": noisy})
    clear = {"default": [2.0, 2.0], "again": [2.0, 2.0], "changed": [1.0, 1.0]}
    said = measured._times_as_fast({"medians": {}, "seconds": clear})
    assert said == "2.00 to 2.00 times as fast"


@pytest.fixture
def diagnose(tmp_path, diagnosing):
    """Runs `diagnose --json` on a model."""

    def run(factory: str, *switches: str) -> CompletedProcess[str]:
        (tmp_path / "model.py").write_text(MODEL)
        return call(main, "diagnose", f"model.py:{factory}", "--json", *switches, cwd=tmp_path)

    return run


@pytest.mark.slow
def test_only_the_core_is_compiled(diagnose):
    """A print outside of it breaks nothing; three sizes are made of one call."""
    done = diagnose("example", "--only", "breaks", "--compile-core", "--vary-batch", "2,4,6")
    report = json.loads(done.stdout)
    assert report["calls"] == 3
    assert [it["kind"] for it in report["findings"]] == ["recompile"]
    broken = diagnose("example", "--only", "breaks")
    assert "graph_break" in [it["kind"] for it in json.loads(broken.stdout)["findings"]]


@pytest.mark.slow
def test_a_target_that_cannot_repeat_a_call_is_timed_anew(diagnose):
    """Each turn gets a target of its own; guards are withheld in a sentence."""
    done = diagnose("fills", "--only", "gain", "--only", "guards", "--steps", "3")
    parts = {it["name"]: it for it in json.loads(done.stdout)["parts"]}
    assert not parts["gain"]["failure"]
    gain = parts["gain"]["measured"]
    assert gain["timed"] == "all calls on a target made anew"
    assert [len(it) for it in gain["seconds"].values()] == [3, 3, 3]
    assert "full" in parts["guards"]["measured"]["withheld"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("switches", "said"),
    [
        (["--vary-seq", "9"], "raises RuntimeError"),
        (["--compile-core=gone"], "Net has no method 'gone'"),
        (["--compile-core=other"], "no call gets to Net.other; name a method that runs"),
        (["--ablate-config", "epilog_fusion"], "did you mean epilogue_fusion"),
        (["--ablate-config", "max_autotune=3"], "takes a bool, not 3"),
        (["--mode", "nosuch"], "has no such mode; name one of default, "),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(diagnose, switches, said):
    """Before a part takes its time."""
    done = diagnose("example", "--quick", *switches)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factory", "said"),
    [
        (
            "example",
            "skip_guard_eval_unsafe asks that no call compiles again, and raises",
        ),
        ("without_graphs", "guards: not timed, because the first call compiles no graph"),
    ],
)
def test_guards_are_timed_where_only_their_saving_cannot_be(tmp_path, diagnosing, factory, said):
    """After a graph break, the code between graphs looks new without guards."""
    (tmp_path / "model.py").write_text(MODEL)
    done = call(main, "diagnose", f"model.py:{factory}", "--benchmark-guards", cwd=tmp_path)
    assert said in done.stdout
