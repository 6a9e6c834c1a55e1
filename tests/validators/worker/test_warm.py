"""What a zygote pays once for all arms."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from validators.files import ROOT
from validators.worker.warm import compile_sources, leave_guards_untimed, without_threads_of_bars


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A probe below `tmp_path`, whose sources are compiled, in a process that forgets it."""
    monkeypatch.setattr(SourceFileLoader, "source_to_code", SourceFileLoader.source_to_code)
    file = tmp_path / "validators" / "probes" / "one.py"
    file.parent.mkdir(parents=True)
    file.write_text("VALUE = 1\n")
    (file.parent / "broken.py").write_text("VALUE = (\n")
    compile_sources(tmp_path)
    return file


def imported(file: Path) -> ModuleType:
    """The module in `file`, as an arm imports it."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_unchanged_source_is_not_compiled_again(
    probe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An arm runs the code that its zygote compiled."""
    with monkeypatch.context() as patch:
        patch.setattr("builtins.compile", None)
        module = imported(probe)
    assert module.VALUE == 1


def test_an_edited_source_is_compiled_anew(probe: Path) -> None:
    """An edit of the same length within the same second counts."""
    probe.write_text("VALUE = 2\n")
    assert imported(probe).VALUE == 2


def test_a_broken_source_is_left_to_who_imports_it(probe: Path) -> None:
    """It does not keep the zygote from starting, and its import fails."""
    with pytest.raises(SyntaxError):
        imported(probe.with_name("broken.py"))


@pytest.mark.parametrize("times", [True, False], ids=["times", "older"])
def test_guards_take_no_time(monkeypatch: pytest.MonkeyPatch, times: bool) -> None:
    """Older releases do not time them, and nothing is added there."""
    theirs = {"profile_guard_manager": lambda *_: 9.0} if times else {}
    guards = SimpleNamespace(**theirs)
    monkeypatch.setitem(sys.modules, "torch._dynamo.guards", guards)
    leave_guards_untimed()
    assert [made(None, {}, 100) for made in vars(guards).values()] == [0.0] * times


_COMPILED = """
import sys
import torch
from torch._inductor.fx_passes import joint_graph, post_grad
from validators.worker import warm

warm.register_patterns()
before = [it.lazy_init.cache_info().misses for it in (joint_graph, post_grad)]
torch.compile(lambda x: x.sin() + x.cos())(torch.ones(64))
print(before, [it.lazy_init.cache_info().misses for it in (joint_graph, post_grad)])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("device", "before"), [("cpu", [1, 1]), ("cuda", [0, 0])])
def test_patterns_are_registered_once(tmp_path: Path, device: str, before: list[int]) -> None:
    """A compilation for the CPU finds those of its zygote; one for a GPU registers its own."""
    variables = {"CASEBOOK_DEVICE": device, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", _COMPILED],
        env={**os.environ, **variables, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{before} [1, 1]\n"


def test_bars_start_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether tqdm is installed or not."""
    bars = SimpleNamespace(tqdm=SimpleNamespace(monitor_interval=10))
    monkeypatch.setitem(sys.modules, "tqdm", bars)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    without_threads_of_bars()
    assert bars.tqdm.monitor_interval == 0
    bars.tqdm.monitor_interval = 10
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    without_threads_of_bars()
    assert bars.tqdm.monitor_interval == 10
