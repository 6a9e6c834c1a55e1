import contextlib
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import torch
from torch._inductor.utils import fresh_cache

from validators.probes import observe


def make(device):
    # Matrix products only: what is counted is asked of the caches, and no kernel is generated.
    adapter = torch.nn.Sequential(
        torch.nn.Linear(16, 4, bias=False), torch.nn.Linear(4, 16, bias=False)
    )
    return adapter.to(device), torch.ones(4, 16, device=device)


@torch.no_grad()
def compile_once(device):
    model, x = make(device)
    torch.compile(model)(x)


def run_earlier_process(device):
    """Compile in a process of its own; on the CPU a fork, which need not import torch."""
    if device == "cpu":
        earlier = multiprocessing.get_context("fork").Process(target=compile_once, args=(device,))
        earlier.start()
        earlier.join()
        assert earlier.exitcode == 0, earlier.exitcode
        return
    # CUDA does not survive a fork.
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    # Not as a script: the keys of what `__main__` compiles may differ from ours.
    code = f"import {__name__} as case; case.compile_once({device!r})"
    command = [sys.executable, "-c", code]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=True)


@torch.no_grad()
def cold_starts(device, *ways):
    """Compile once for each way of caching, in a process that follows another one."""
    run_earlier_process(device)

    def compile_anew(model):
        def run(way, x):
            torch.compiler.reset()
            with way():
                return torch.compile(model)(x)

        return run

    model, x = make(device)
    return observe(model, [(way, x) for way in ways], compile=compile_anew)


def symptom(device):
    return cold_starts(device, contextlib.nullcontext, contextlib.nullcontext)


def without_caches():
    return torch.compiler.config.patch(force_disable_caches=True)


def remedy(device):
    return cold_starts(device, without_caches, fresh_cache)


def shows(report):
    compiled = sum(call.compiled for call in report.calls)
    cache = report.cache
    if cache.aot_hits:
        return cache.aot_hits == compiled == 2 and cache.aot_misses == cache.fx_misses == 0
    return cache.aot_misses != 1 or cache.fx_misses != 1
