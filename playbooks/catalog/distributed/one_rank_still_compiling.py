import tempfile
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from validators.probes import captured_facts

PATIENCE = 3
STEPS = 2


def backend_of(rank, waits):
    """Rank 0 finds its kernels in the cache; the others compile for longer than `PATIENCE`."""

    def compiler(module, inputs):
        deadline = time.monotonic() + 60
        while rank and not waits.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep((PATIENCE + 2) * rank)
        return module.forward

    return compiler


def train(rank, folder, warm_up):
    waits = Path(folder, "rank_0_waits")
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    seen = {"reduced": 0, "error": ""}
    try:
        dist.barrier()
        group = dist.new_group(timeout=timedelta(seconds=PATIENCE))
        step = torch.compile(lambda x: (x * 2).square().mean(), backend=backend_of(rank, waits))
        x = torch.full((4,), rank + 1.0)
        if warm_up:
            step(x)
            if rank == 0:
                waits.touch()
            dist.barrier()  # of the group that waits for half an hour
        for _ in range(STEPS):
            loss = step(x)
            if rank == 0:
                waits.touch()
            dist.all_reduce(loss, group=group)
            seen["reduced"] += 1
            seen["loss"] = loss.item()
    except RuntimeError as error:
        seen["error"] = str(error)
    finally:
        dist.destroy_process_group()
    return seen


def train_on_two(warm_up):
    """What rank 0 saw, with rank 1 in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        other = mp.get_context("fork").Process(target=train, args=(1, folder, warm_up), daemon=True)
        other.start()
        try:
            return train(0, folder, warm_up)
        finally:
            other.join(timeout=30)
            other.kill()


def symptom(device):
    return captured_facts(rank_0=lambda: train_on_two(warm_up=False))


def remedy(device):
    return captured_facts(rank_0=lambda: train_on_two(warm_up=True))


def shows(report):
    rank_0 = report.facts["rank_0"]
    if rank_0["error"]:
        assert "imed out waiting" in rank_0["error"], rank_0
        return rank_0["reduced"] == 0
    assert rank_0["reduced"] == STEPS and rank_0["loss"] == 20, rank_0
    return False
