from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

from validators.probes import observe


@torch.no_grad()
def serve(device, **worker_options):
    """Warm up a model in the main thread, without gradients, and call it twice in a worker."""
    x = torch.ones(4, 8, device=device)
    with ThreadPoolExecutor(max_workers=1, **worker_options) as worker:

        def compile_for_both(model):
            compiled = torch.compile(model, backend="aot_eager")
            run = {"main": compiled, "worker": lambda x: worker.submit(compiled, x).result()}
            return lambda thread, x: run[thread](x)

        calls = [(thread, x) for thread in ("main", "worker", "worker")]
        return observe(nn.Linear(8, 8).to(device), calls, compile=compile_for_both)


def symptom(device):
    return serve(device)


def remedy(device):
    return serve(device, initializer=torch.set_grad_enabled, initargs=(False,))


def shows(report):
    assert report.exception is None, report.exception
    return report.compiled == (1, 1, 0)
