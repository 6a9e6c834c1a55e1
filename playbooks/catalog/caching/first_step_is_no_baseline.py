import statistics
import time

import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import captured_facts


def seconds(step, device):
    begin = time.perf_counter()
    step()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def timings(device):
    """The first compiled step, then eager and compiled steps in turn, on code that is no faster."""
    config = VLMConfig.tiny()
    model, batch = make_model(config, device=device), make_batch(config, device=device)
    model(*batch)
    compiled = torch.compile(model, backend="eager")
    first = seconds(lambda: compiled(*batch), device)
    pairs = [
        (seconds(lambda: model(*batch), device), seconds(lambda: compiled(*batch), device))
        for _ in range(30)
    ]
    eager, steady = map(statistics.median, zip(*pairs, strict=True))
    return first, steady, eager


def symptom(device):
    first, steady, _ = timings(device)
    return captured_facts(speed_up=lambda: first / steady)


def remedy(device):
    _, steady, eager = timings(device)
    return captured_facts(speed_up=lambda: eager / steady)


def shows(report):
    return report.facts["speed_up"] > 5
