"""A process group of one."""

from __future__ import annotations

import pytest
import torch
import torch.distributed as dist

from tests.validators.probes.arms import ones
from validators.probes import process_group

pytestmark = pytest.mark.skipif(not dist.is_gloo_available(), reason="There is no gloo.")


def test_a_group_of_one_reduces_and_ends() -> None:
    """Collectives work within the block; there is no group after it, even after an exception."""
    with process_group():
        x = ones(3)
        dist.all_reduce(x)
        assert torch.equal(x, ones(3))
        assert dist.get_world_size() == 1
    with pytest.raises(ZeroDivisionError), process_group():
        _ = 1 / 0
    assert not dist.is_initialized()


def test_ddp_trains_in_it() -> None:
    """A DDP wrapper makes a step, and a second group can follow the first."""
    for _ in range(2):
        with process_group():
            model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 2))
            model(ones(4, 3)).sum().backward()
            assert model.module.weight.grad is not None
