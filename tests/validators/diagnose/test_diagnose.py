"""`diagnose` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.commands import call
from validators.cli import main
from validators.files import ROOT

MODEL = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        {}
        return self.layer(x)


made = []


def example():
    torch.manual_seed(0)
    return Net(), [(torch.randn(n, 4),) for n in (2, 3)]


def trains():
    return *example(), lambda y: y.square().mean()


def stateful():
    taken = []
    def take(x):
        taken.append(1)
        assert len(taken) < 4, "full"
        return x + 1
    return take, [(torch.ones(3),)]


def no_tuple():
    return 3


def no_calls():
    return Net(), []


def no_loss():
    return Net(), [(torch.ones(2, 4),)], 5


def loss_of_a_function():
    return torch.sin, [(torch.ones(2, 4),)], lambda y: y.sum()


def both():
    def f(x, meta=None, *, scale=1):
        return x[0].sum() if meta else x * scale

    x = torch.ones(2, 3)
    return f, [((x,), dict(scale=2)), (x, dict(scale=2)), ((x,), dict(shape=2))]


KNOWN = {{}}


def remembers_a_package():
    import importlib.metadata

    def there():
        if not KNOWN:
            try:
                KNOWN["there"] = bool(importlib.metadata.version("nobody-has-it"))
            except importlib.metadata.PackageNotFoundError:
                KNOWN["there"] = False
        return KNOWN["there"]

    return lambda x: x * 2 if there() else x + 1, [(torch.ones(3),)]


def exits_in_a_call():
    import os

    return lambda x: Net()(os._exit(4)), [(torch.ones(3),)]


def raises():
    raise ValueError("token=abcdefgh is wrong")


def raises_eagerly():
    return Net(), [(torch.ones(2, 5),)]


def exits():
    import os
    os._exit(3)


def leaves():
    raise SystemExit(3)


def hangs():
    import time
    time.sleep(60)
"""


@pytest.fixture
def write_model(tmp_path):
    """Writes a model whose forward begins with `line`."""

    def write(line: str) -> None:
        (tmp_path / "model.py").write_text(MODEL.format(line))

    return write


@pytest.fixture
def diagnose(tmp_path, write_model, diagnosing):
    """Runs `diagnose` in a folder with a model whose forward begins with `line`."""

    def run(factory: str, *options: str, line: str = "x = x * 2"):
        write_model(line)
        return call(main, "diagnose", f"model.py:{factory}", *options, cwd=tmp_path)

    return run


@pytest.mark.smoke
@pytest.mark.slow
def test_a_break_is_found_at_its_line(write_model, tmp_path, unmeasured):
    """With the case that explains it, in every report; in a process as a user starts it."""
    write_model("if x.sum() > 0: x = x * 2")
    words = ("diagnose", "model.py:example", "--quick", "--out", "out")
    done = subprocess.run(
        [sys.executable, "-m", "validators", *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**unmeasured, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1, done.stderr
    assert "model.py:11: graph break: Data-dependent branching" in done.stdout
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    first = report["findings"][0]
    assert (first["kind"], first["place"]["line"]) == ("graph_break", 11)
    assert first["explanation"]["case"] == "tensor_dependent_if_in_rotary"
    assert str(tmp_path) not in (tmp_path / "out" / "report.md").read_text()
    assert (tmp_path / "out" / "report.sarif").exists()


@pytest.mark.slow
def test_a_healthy_model_has_only_sizes_that_vary(diagnose):
    """And the whole suite runs on a training step."""
    done = diagnose("trains", "--json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert [it["kind"] for it in report["findings"]] == ["recompile"]
    assert "dim 0 of x varies: 2 graphs as it is, 1 with" in report["findings"][0]["cost"]
    assert not [it for it in report["parts"] if it["failure"]]
    assert report["trains"]


@pytest.mark.slow
def test_wrong_results_are_found(diagnose):
    """Compiled code that computes something else than eager."""
    wrong = "x = x * (2 if torch.compiler.is_compiling() else 3)"
    done = diagnose("example", "--only", "results", line=wrong)
    assert "call 0 differs from eager by" in done.stdout
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factory", "said"),
    [
        ("no_tuple", "returned int; return (model, calls)"),
        ("no_calls", "returned no calls"),
        ("no_loss", "returned int as loss; return a function of the output third"),
        ("loss_of_a_function", "a loss that cannot train; it needs a torch.nn.Module"),
        ("raises", "ValueError: token=*** is wrong"),
        ("raises_eagerly", "without compiling, call 0 raises RuntimeError: mat1 and mat2"),
        ("gone", "has no 'gone'"),
        ("leaves", "model.py:leaves cannot be called: it exits (status 3); let it return"),
        ("exits", "model.py:exits: calling it ends its process, which ended with exit status 3"),
    ],
)
def test_a_target_that_cannot_be_used_is_told_in_a_sentence(diagnose, factory, said):
    """No traceback, and exit status 2."""
    done = diagnose(factory, "--only", "breaks")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.slow
def test_a_factory_that_hangs_is_told_once(diagnose):
    """Every part would call it again."""
    done = diagnose("hangs", "--timeout", "2")
    (told,) = [it for it in done.stderr.splitlines() if "longer" in it]
    assert done.returncode == 2
    assert "model.py:hangs: calling it took longer than 2 s; give it more time" in told
    assert "--timeout" in told
    assert "longer" not in done.stdout


@pytest.mark.slow
def test_a_part_that_dies_costs_only_itself(diagnose):
    """The static pass still says what it suspects."""
    done = diagnose("exits_in_a_call", "--quick", line='print("here")')
    assert done.returncode == 3
    assert "print_in_forward" in done.stdout
    assert "exit status 4 and no result, while it made the calls; see whether" in done.stdout


@pytest.mark.slow
def test_a_crash_that_eager_calls_prevent_is_found(diagnose):
    """The compiled calls are the first in their process, as a user's are."""
    done = diagnose("remembers_a_package", "--only", "breaks")
    assert "call 0 raises InternalTorchDynamoError under aot_eager" in done.stdout
    assert "explained by missing_package_version" in done.stdout
    assert "tried the calls in eager mode first: none raises" in done.stdout
    assert "graphs of all calls: 1, with 0 graph breaks" in done.stdout


@pytest.mark.slow
def test_a_call_may_have_arguments_and_keywords(diagnose):
    """A pair is one call; a dict for which there are no parameters is an argument."""
    done = diagnose("both", "--only", "breaks", "--json")
    (part,) = json.loads(done.stdout)["parts"]
    assert part["failure"] == ""
    assert part["measured"]["calls"] == 3


@pytest.mark.slow
def test_a_target_with_state_runs_as_often_as_eager_does(diagnose):
    """A cache that is full after one round is no crash of the compiler."""
    done = diagnose("stateful", "--only", "breaks", "--json")
    kinds = [it["kind"] for it in json.loads(done.stdout)["findings"]]
    assert "crash" not in kinds


@pytest.mark.slow
def test_the_issues_of_the_source_report_are_found_in_the_original_form_only(diagnosing):
    """Each at its line and severity, or among the beliefs that the catalog retracts."""

    def told(target):
        return json.loads(call(main, "diagnose", target, "--quick", "--json", cwd=ROOT).stdout)

    lines = (ROOT / "reference_models" / "vlm.py").read_text().splitlines()
    original = told("vlm-original")
    found = {
        (it["explanation"]["case"], lines[it["place"]["line"] - 1].strip(), it["severity"])
        for it in original["findings"]
    }
    assert {
        ("tensor_dependent_if_in_rotary", "if length > original_max:", "high"),
        (
            "tokenizer_attribute_in_forward",
            "return int(self.vocabulary.get(token, -1))",
            "high",
        ),
        ("boolean_mask_assignment", "merged_BTD[is_image_BT] = image_MD", "high"),
        ("symbolic_is_causal", "y_BQTH = F.scaled_dot_product_attention(", "high"),
        ("disabled_callee", "images_NCHW = self.take_images(images)", "medium"),
    } <= found
    again = {
        (it["explanation"]["case"], it["severity"])
        for it in original["findings"]
        if it["kind"] == "recompile"
    }
    assert again == {
        ("automatic_dynamic_wastes_one_compile", "medium"),
        ("image_list_length", "high"),
    }
    beliefs = {
        (it["explanation"]["case"], at["code"]) for it in original["beliefs"] for at in it["places"]
    }
    assert {
        ("none_check_and_isinstance", "if not isinstance(images, list):"),
        ("none_check_and_isinstance", "if images_NCHW is None:"),
        ("expand_position_ids", "return position_T[None].expand(batch_size, -1)"),
    } <= beliefs
    assert told("vlm")["findings"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("__import__('time').sleep(60)", "took longer than 9 s"),
        ("__import__('os').kill(__import__('os').getpid(), 11)", "SIGSEGV"),
    ],
)
def test_what_a_part_wrote_before_its_end_is_read(diagnose, end, said):
    """The breaks and the recompilation of the calls that were made."""
    line = f"""if x.sum() > 0:
            x = x * 2
        torch.compiler.disable(lambda: len(made) > 5 and {end})()
        made.append(1)"""
    done = diagnose("example", "--only", "breaks", "--timeout", "9", "--json", line=line)
    report = json.loads(done.stdout)
    assert [it["name"] for it in report["parts"]] == ["breaks", "recorded"]
    assert said in report["parts"][0]["failure"]
    found = {(it["kind"], it["explanation"]["case"]) for it in report["findings"]}
    assert ("graph_break", "tensor_dependent_if_in_rotary") in found
    assert "recompile" in {kind for kind, _ in found}
