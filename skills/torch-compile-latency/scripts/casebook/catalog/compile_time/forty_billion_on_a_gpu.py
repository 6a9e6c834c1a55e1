import statistics
import time

import torch

from reference_models.gpt import GPT, GPTConfig, make_batch, parameter_count
from validators.probes import captured_facts

LARGE = GPTConfig(n_blocks=50, dim=8192, heads=64)


def seconds(step, device):
    begin = time.perf_counter()
    step()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def timings(device):
    """The first compiled forward pass, then eager and compiled ones in turn."""
    # Drawn where they are needed: as float32 on the host, the weights are 160 GB.
    torch.set_default_dtype(torch.bfloat16)
    with torch.device(device):
        model = GPT(LARGE).requires_grad_(False)
    input_ids = make_batch(LARGE, batch_size=1, seq_len=256, device=device).input_ids
    compiled = torch.compile(model, fullgraph=True)
    seconds(lambda: model(input_ids), device)
    first = seconds(lambda: compiled(input_ids), device)
    pairs = [
        (seconds(lambda: model(input_ids), device), seconds(lambda: compiled(input_ids), device))
        for _ in range(20)
    ]
    eager, steady = map(statistics.median, zip(*pairs, strict=True))
    return parameter_count(model), first / eager, steady / eager


def symptom(device):
    parameters, first, _ = timings(device)
    return captured_facts(parameters=lambda: parameters, times_eager=lambda: first)


def remedy(device):
    parameters, _, steady = timings(device)
    return captured_facts(parameters=lambda: parameters, times_eager=lambda: steady)


def shows(report):
    return report.facts["parameters"] > 40e9 and report.facts["times_eager"] > 1.05
