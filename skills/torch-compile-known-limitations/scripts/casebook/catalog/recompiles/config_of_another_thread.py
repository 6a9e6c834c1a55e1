import contextvars
from concurrent.futures import ThreadPoolExecutor

import torch
import torch._dynamo.config

from validators.probes import observe

LENGTHS = range(2, 12)  # ten lengths, two more than the default limit


def scores(tokens):
    return (tokens - tokens.mean()).softmax(-1)


def serve(device, run, **options):
    """Let a worker thread make all calls of a compiled function; `run` runs them there."""
    batches = [(torch.ones(2, length, device=device),) for length in LENGTHS]
    with ThreadPoolExecutor(max_workers=1) as worker:

        def compile_for_worker(function):
            compiled = torch.compile(function, backend="eager", dynamic=False)
            return lambda batch: worker.submit(run, compiled, batch).result()

        return observe(scores, batches, compile=compile_for_worker, **options)


@torch._dynamo.config.patch(recompile_limit=16)
def symptom(device):
    # `eager`: it is the claim that some of the calls run without a graph.
    return serve(device, lambda compiled, batch: compiled(batch), eager=True)


@torch._dynamo.config.patch(recompile_limit=16)
def remedy(device):
    return serve(device, contextvars.copy_context().run)


def shows(report):
    assert report.exception is None, report.exception
    return report.eager_calls == (8, 9)
