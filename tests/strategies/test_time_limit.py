"""`safe_compile` around compilers that hang, die and fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from strategies import safe_compile as module
from strategies.safe_compile import safe_compile
from tests.strategies.models import Backend, Block, Net, Record, Stack, Wide

X = torch.ones(4, 16)
Reasons = Callable[[Callable[[], Any]], list[str]]


def alive(process: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def gone(file: Path) -> bool:
    """Whether the processes that a file names have ended, or do so within a second."""
    end = time.monotonic() + 1
    while any(alive(int(it)) for it in file.read_text().split()):
        if time.monotonic() > end:
            return False
    return True


def test_what_is_alive_is_seen() -> None:
    """The other tests rely on it."""
    import os

    assert alive(os.getpid())


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("sleeps", "compiling it took longer than {timeout} s"),
        ("loops", "compiling it took longer than {timeout} s"),
        ("crashes", "the process that compiled it died of SIGSEGV"),
        ("exits", "the process that compiled it ended with status 3"),
        ("raises", "compiling it raised NotImplementedError: no kernel for this"),
    ],
)
def test_bad_compiler_leaves_the_model_uncompiled_and_no_process(
    what: str, why: str, reasons: Reasons, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With one warning, eager's outputs and nothing printed."""
    model = Block()
    expected = model(X)
    file = tmp_path / "processes"
    # A busy machine may need longer to reach the backend.
    for timeout in (3, 12, 48) if "longer" in why else (60,):
        begun = time.monotonic()
        found = reasons(
            lambda: safe_compile(model, [(X,)], timeout=timeout, backend=Backend(what, file))  # noqa: B023
        )
        if file.exists():
            break
    assert found == [f"Block stays uncompiled, because {why.format(timeout=timeout)}"]
    assert time.monotonic() - begun < 60
    assert torch.equal(model(X), expected)
    assert gone(file)
    assert capfd.readouterr().out == ""


def test_custom_op_whose_fake_function_never_ends(reasons: Reasons) -> None:
    """Dynamo itself hangs then, not the backend."""

    @torch.library.custom_op("strategies_test::endless", mutates_args=())
    def endless(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @endless.register_fake
    def _(x: torch.Tensor) -> torch.Tensor:
        while True:
            pass

    class Custom(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return endless(x)

    model = Custom()
    found = reasons(lambda: safe_compile(model, [X], timeout=2, backend="aot_eager"))
    assert found == ["Custom stays uncompiled, because compiling it took longer than 2 s"]
    assert torch.equal(model(X), X * 2)


def test_good_compiler_leaves_no_process_and_no_trace(reasons: Reasons, tmp_path: Path) -> None:
    """Buffers, random numbers and parameters are as before."""
    model = Net()
    state = {name: it.clone() for name, it in model.state_dict().items()}
    random = torch.get_rng_state()
    file = tmp_path / "processes"
    made = []
    backend = Backend("works", file)
    found = reasons(lambda: made.append(safe_compile(model, [(X,)], backend=backend)))
    assert found == []
    assert made == [model]
    assert gone(file)
    assert torch.equal(torch.get_rng_state(), random)
    assert model.state_dict().keys() == state.keys()
    assert all(torch.equal(model.state_dict()[name], it) for name, it in state.items())
    assert type(model.linear.weight) is torch.nn.Parameter


def test_fork_without_autograd_says_so(reasons: Reasons, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a backward pass on an accelerator; `auto` would start a new interpreter."""
    monkeypatch.setattr(module, "_autograd_works", lambda: False)
    found = reasons(lambda: safe_compile(Block(), [X], start="fork", backend="eager"))
    assert len(found) == 1
    assert "autograd does not work in a fork" in found[0]
    with torch.no_grad():
        assert reasons(lambda: safe_compile(Block(), [X], start="fork", backend="eager")) == []


def test_model_is_compiled_afterwards() -> None:
    """In this process, by the first call."""
    model = safe_compile(Block(), [(X,)], backend="eager")
    expected = Block.forward(model, X)
    assert torch.equal(model(X), expected)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def test_tied_weights_and_keys_stay(reasons: Reasons) -> None:
    """Compiled whole and block by block."""
    model = Stack(3)
    keys = list(model.state_dict())
    tokens = torch.zeros(2, 5, dtype=torch.long)
    for regional in (False, True):
        found = reasons(
            lambda regional=regional: safe_compile(
                model, [{"tokens": tokens}], regional=regional, backend="eager"
            )
        )
        assert found == []
        assert list(model.state_dict()) == keys
        assert model.head.weight is model.embedding.weight


def test_fork_does_not_copy_the_weights(reasons: Reasons, tmp_path: Path) -> None:
    """The child's own memory stays below half of the weights'."""
    file = tmp_path / "memory"
    model = Wide().requires_grad_(False)
    call = (torch.ones(2, 2**14, requires_grad=True),)
    loss = Record(file)
    found = reasons(
        lambda: safe_compile(model, [call], start="fork", loss=loss, backend="aot_eager")
    )
    assert found == []
    _, private, _ = file.read_text().splitlines()[0].split()
    assert int(private) < 512, "of 1024 MiB of weights"


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"example_calls": X}, TypeError, "not a list of calls"),
        ({"example_calls": []}, ValueError, "is empty"),
        ({"example_calls": [3]}, TypeError, "a call is a int"),
        ({"example_calls": [X], "timeout": 0}, ValueError, "above 0"),
        ({"example_calls": [X], "start": "thread"}, ValueError, "'spawn'"),
        ({"example_calls": [X], "model": len}, TypeError, "torch.nn.Module"),
        ({"example_calls": [X], "regional": True}, ValueError, "repeats no block"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], error: type[Exception], says: str) -> None:
    """Each error says what to give instead."""
    with pytest.raises(error, match=says):
        safe_compile(**{"model": Block(), **given})
