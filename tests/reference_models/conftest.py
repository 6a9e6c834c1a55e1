"""What every test of a reference model starts from."""

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def fresh_dynamo() -> Iterator[None]:
    """Compile every test from nothing."""
    torch.compiler.reset()
    yield
    torch.compiler.reset()
