import torch

from validators.probes import observe


def merge(tokens, mask, images):
    tokens = tokens * 2
    tokens[mask] = images
    return tokens.relu()


def scatter(tokens, mask, images):
    return (tokens * 2).masked_scatter(mask[:, None], images).relu()


@torch.no_grad()
def compiled(device, function):
    mask = torch.arange(64, device=device) < 16
    tokens, images = (torch.randn(rows, 128, device=device) for rows in (64, 16))
    options = {"triton.cudagraphs": True, "graph_partition": False}
    calls = [(tokens, mask, images)] * 3
    return observe(function, calls, backend="inductor", options=options)


def symptom(device):
    return compiled(device, merge)


def remedy(device):
    return compiled(device, scatter)


def shows(report):
    assert report.exception is None, report.exception
    return any("boolean indexing" in reason for reason in report.cudagraphs.skips)
