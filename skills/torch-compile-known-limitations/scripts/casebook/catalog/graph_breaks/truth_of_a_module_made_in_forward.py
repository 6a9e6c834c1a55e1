import torch
from torch import nn
from torch._dynamo.testing import CompileCounter

from validators.probes import captured_facts


class Cache(nn.Module):
    """Keys and values by layer; empty, it counts as false."""

    def __init__(self):
        super().__init__()
        self.keys = []

    def __len__(self):
        return len(self.keys)


def facts(device, of_length):
    def decode(x):
        cache = Cache()
        cache.keys.append(x)
        filled = len(cache) > 0 if of_length else cache
        return x + 1 if filled else x + 2

    def run(decode_step):
        return decode_step(torch.zeros(1, device=device)).item()

    def compiled():
        backend = CompileCounter()
        result = run(torch.compile(decode, backend=backend))
        return {"result": result, "graphs": backend.frame_count}

    return captured_facts(eager=lambda: run(decode), compiled=compiled)


def symptom(device):
    return facts(device, of_length=False)


def remedy(device):
    return facts(device, of_length=True)


def shows(report):
    facts = report.facts
    assert facts["eager"] == 1.0, facts
    if "compiled.exception" not in facts:
        assert facts["compiled"] == {"result": 1.0, "graphs": 1}, facts
        return False
    internal = facts["compiled.exception"].endswith("InternalTorchDynamoError")
    return internal and "'Cache' object has no attribute 'keys'" in facts["compiled.message"]
