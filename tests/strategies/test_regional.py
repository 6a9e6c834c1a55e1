"""`regional_compile`: equal blocks share a graph, of torch.nn itself too, and keys stay."""

from __future__ import annotations

import copy
import gc
import io
import weakref
from functools import partial

import pytest
import torch
from torch._dynamo.testing import CompileCounter

from strategies.safe_compile import regional_compile
from tests.strategies.models import Block, Stack

TOKENS = torch.zeros(2, 5, dtype=torch.long)
ENCODER = partial(torch.nn.TransformerEncoderLayer, 16, 2, 32, dropout=0.0, batch_first=True)


def sequential() -> torch.nn.Module:
    """A block whose class is of torch.nn."""
    return torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU())


@pytest.mark.parametrize("block", [Block, ENCODER, sequential])
def test_ten_equal_blocks_share_one_graph(block: partial[torch.nn.Module]) -> None:
    """With eager's outputs, and the same keys of the state dict."""
    model = Stack(10, block)
    keys = list(model.state_dict())
    expected = model(TOKENS)
    counter = CompileCounter()
    assert regional_compile(model, backend=counter) is model
    torch.testing.assert_close(model(TOKENS), expected)
    assert counter.frame_count == 1
    assert list(model.state_dict()) == keys


def test_models_do_not_share_a_recompile_limit() -> None:
    """Each use of `regional_compile` counts its own recompiles."""
    config = torch._dynamo.config
    limit = "recompile_limit" if hasattr(config, "recompile_limit") else "cache_size_limit"
    counter = CompileCounter()
    # pytest's monkeypatch would delete the setting in the end.
    with config.patch({limit: 1}), torch.no_grad():
        for width in range(2, 5):
            blocks = torch.nn.Sequential(*(Block(width) for _ in range(2)))
            regional_compile(blocks, backend=counter)(torch.ones(3, width))
    assert counter.frame_count == 3


def test_copy_and_pickle_are_uncompiled() -> None:
    """As the documentation of the file says."""
    counter = CompileCounter()
    model = regional_compile(Stack(2), backend=counter)
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    for other in (copy.deepcopy(model), torch.load(file, weights_only=False)):
        other(TOKENS)
    assert counter.frame_count == 0


def test_model_is_freed() -> None:
    """By the garbage collector, which has to break a cycle."""
    model = regional_compile(Stack(2), backend="eager")
    model(TOKENS)
    weight = weakref.ref(model.head.weight)
    del model
    gc.collect()
    assert weight() is None


def test_outermost_blocks_of_one_class_and_equal_shapes() -> None:
    """Blocks within blocks and blocks without parameters do not count."""
    model = Stack(3, lambda: torch.nn.Sequential(Block(), Block()))
    regional_compile(model, backend="eager")
    compiled = [name for name, it in model.named_modules() if it._compiled_call_impl is not None]
    assert compiled == ["blocks.0", "blocks.1", "blocks.2"]
    with pytest.raises(ValueError, match="repeats no block"):
        regional_compile(torch.nn.Sequential(Block(4), Block(5), torch.nn.ReLU()))


def test_no_repeated_block() -> None:
    """The error names the class of the model."""
    with pytest.raises(ValueError, match="Block repeats no block"):
        regional_compile(Block())
