import torch

from validators.probes import observe

LENGTHS = (16, 24, 32, 40)


@torch.no_grad()
def serve(device, lengths):
    """Each length three times, so that the last of them would replay."""
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).to(device)
    calls = [(torch.randn(length, 8, device=device),) for length in lengths for _ in range(3)]
    return observe(model, calls, backend="inductor", mode="reduce-overhead", dynamic=True)


def symptom(device):
    return serve(device, LENGTHS)


def remedy(device):
    padded_to_one_bucket = [max(LENGTHS)] * len(LENGTHS)
    return serve(device, padded_to_one_bucket)


def shows(report):
    seen = report.cudagraphs
    one_graph_replayed = len(report.graphs) == 1 and seen is not None and seen.replays > 0
    return one_graph_replayed and not seen.skips and seen.recordings == len(LENGTHS)
