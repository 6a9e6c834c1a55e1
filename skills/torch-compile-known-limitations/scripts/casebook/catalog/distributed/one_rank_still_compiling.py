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


def backend_of(rank, folder):
    """Rank 0 finds its kernels in the cache; the others compile for longer than `PATIENCE`.

    They compile until rank 0 has either lost its patience or begun to wait with a longer one,
    so that it does not depend on the machine which comes first.
    """

    def compiler(module, inputs):
        if rank:
            time.sleep(PATIENCE + 2)
            deadline = time.monotonic() + 60
            while not Path(folder, "rank_0_settled").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            Path(folder, "compiled").touch()
        return module.forward

    return compiler


def train(rank, folder, warm_up):
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    seen = {"reduced": 0, "error": ""}
    try:
        dist.barrier()
        group = dist.new_group(timeout=timedelta(seconds=PATIENCE))
        step = torch.compile(lambda x: (x * 2).square().mean(), backend=backend_of(rank, folder))
        x = torch.full((4,), rank + 1.0)
        if warm_up:
            step(x)
            if rank == 0:
                Path(folder, "rank_0_settled").touch()
            dist.barrier()  # of the group that waits for half an hour
        for _ in range(STEPS):
            loss = step(x)
            dist.all_reduce(loss, group=group)
            seen["reduced"] += 1
            seen["loss"] = loss.item()
    except RuntimeError as error:
        seen["error"] = str(error)
        seen["other_compiles"] = not Path(folder, "compiled").exists()
        if rank == 0:
            Path(folder, "rank_0_settled").touch()
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
        # Otherwise the machine was so busy that even ready ranks ran into the timeout.
        assert "imed out waiting" in rank_0["error"] and rank_0["other_compiles"], rank_0
        return rank_0["reduced"] == 0
    assert rank_0["reduced"] == STEPS and rank_0["loss"] == 20, rank_0
    return False
