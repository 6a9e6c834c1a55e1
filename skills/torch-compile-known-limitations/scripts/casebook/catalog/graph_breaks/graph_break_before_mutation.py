import torch
import torch._dynamo

from validators.probes import observe


def append(cache, x, position):
    cache.index_copy_(1, position, x[:, None])


def append_after_break(cache, x, position):
    torch._dynamo.graph_break()
    append(cache, x, position)


append_in_eager = torch.compiler.disable(append)


def decode(write, device):
    """Three steps of decoding against a cache that belongs to the caller."""

    def step(cache, x, position):
        write(cache, x * 2, position)
        return (cache * x[:, None]).sum(dim=(1, 2))

    cache, x = torch.zeros(2, 8, 4, device=device), torch.ones(2, 4, device=device)
    return observe(step, [(cache, x, torch.tensor([i], device=device)) for i in range(3)])


def symptom(device):
    return decode(append_after_break, device)


def remedy(device):
    return decode(append_in_eager, device)


def shows(report):
    return bool(report.graph_breaks and report.mutated_inputs)
