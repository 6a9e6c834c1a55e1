import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch._dynamo.utils import counters

from validators.probes import captured_facts

LAYERS = 8


def stack(x, weight):
    for _ in range(LAYERS):
        x = x @ weight
    return x


def make(device):
    # Matrix products only: what is counted is traced and cached, and no kernel is generated.
    return torch.ones(4, 16, device=device), torch.eye(16, device=device)


@torch.no_grad()
def compile_and_save(device, file):
    # Off by default before torch 2.13.
    torch._dynamo.config.enable_aot_compile = True
    inputs = make(device)
    torch.compile(stack, fullgraph=True)(*inputs)
    ahead = torch.compile(stack, fullgraph=True).aot_compile((inputs, {}))
    ahead.save_compiled_function(file)


def run_earlier_process(device, file):
    """Compile and save in a process of its own; on the CPU a fork, which need not import torch."""
    if device == "cpu":
        earlier = multiprocessing.get_context("fork").Process(
            target=compile_and_save, args=(device, file)
        )
        earlier.start()
        earlier.join()
        assert earlier.exitcode == 0, earlier.exitcode
        return
    # CUDA does not survive a fork.
    paths = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    # Not as a script: the keys of what `__main__` compiles may differ from ours.
    code = f"import {__name__} as case; case.compile_and_save({device!r}, {file!r})"
    command = [sys.executable, "-c", code]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=True)


@torch.no_grad()
def next_start(device, load):
    """The first call in a process that follows another one, which compiled and saved the same."""
    with tempfile.TemporaryDirectory() as directory:
        file = str(Path(directory) / "stack.pt")
        run_earlier_process(device, file)
        saved = Path(file).read_bytes()
    x, weight = make(device)

    def ready():
        if not load:
            return torch.compile(stack, fullgraph=True)
        return torch.compiler.load_compiled_function(io.BytesIO(saved))

    def start():
        counters.clear()
        right = torch.equal(ready()(x, weight), stack(x, weight))
        cache = counters["aot_autograd"]
        return {
            "right": right,
            "traced": counters["stats"]["calls_captured"],
            "hits": cache["autograd_cache_hit"],
            "misses": cache["autograd_cache_miss"],
        }

    def other_rows():
        return tuple(ready()(x[:3], weight).shape)

    return captured_facts(start=start, other_rows=other_rows)


def symptom(device):
    return next_start(device, load=False)


def remedy(device):
    return next_start(device, load=True)


def shows(report):
    facts = report.facts
    start = facts["start"]
    assert start["right"] and start["misses"] == 0, start
    if start["traced"] == 0:
        # Only what was compiled has guards to refuse another shape.
        assert "GuardManager check failed" in facts.get("other_rows.message", ""), facts
        return False
    return start["traced"] == LAYERS and start["hits"] == 1 and facts["other_rows"] == [3, 16]
