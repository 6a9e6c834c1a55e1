import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch._inductor.utils import fresh_cache

from validators.probes import observe


def make(device):
    # A matrix product only: what is counted is asked of the caches, and no kernel is generated.
    return torch.nn.Linear(16, 4, bias=False, device=device), torch.ones(4, 16, device=device)


def another_process(device):
    """What a process with caches of its own, which are then removed, saved after compiling."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "artifacts"
        paths = os.pathsep.join(path for path in sys.path if path)
        env = {**os.environ, "PYTHONPATH": paths}
        subprocess.run([sys.executable, __file__, device, file], env=env, check=True)
        return file.read_bytes()


@torch.no_grad()
def cold_start(device, load):
    model, x = make(device)
    with fresh_cache():
        if load:
            torch.compiler.load_cache_artifacts(another_process(device))
        return observe(model, [(x,)], backend="inductor")


def symptom(device):
    return cold_start(device, load=False)


def remedy(device):
    return cold_start(device, load=True)


def shows(report):
    cache = report.cache
    found = (cache.aot_hits, cache.fx_hits), (cache.aot_misses, cache.fx_misses)
    return {((0, 0), (1, 1)): True, ((1, 1), (0, 0)): False}[found]


if __name__ == "__main__":
    with torch.no_grad(), fresh_cache():
        model, x = make(sys.argv[1])
        torch.compile(model)(x)
        saved, _ = torch.compiler.save_cache_artifacts()
    Path(sys.argv[2]).write_bytes(saved)
