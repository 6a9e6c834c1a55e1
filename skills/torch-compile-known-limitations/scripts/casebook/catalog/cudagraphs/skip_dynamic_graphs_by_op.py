import torch

from validators.probes import observe

SIZES = (10, 13, 16, 19)


def scaled(rows, weight):
    return weighted(torch.median(rows), weight)


def weighted(scale, weight):
    return scale * (weight @ weight).relu()


def batches(device):
    """Each size three times, so that the last of them would replay."""
    for size in SIZES:
        for _ in range(3):
            rows = torch.randn(size, 64, device=device)
            torch._dynamo.mark_dynamic(rows, 0)
            yield rows


@torch.no_grad()
def serve(device, target, arguments):
    options = {"triton.cudagraphs": True, "triton.cudagraph_skip_dynamic_graphs": True}
    weight = torch.randn(64, 64, device=device) / 8
    calls = [(arguments(rows), weight) for rows in batches(device)]
    return observe(target, calls, backend="inductor", compare=["eager"], options=options)


def symptom(device):
    return serve(device, scaled, lambda rows: rows)


def remedy(device):
    return serve(device, weighted, torch.median)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-2 for call in report.calls)
    (graph,) = report.graphs
    seen = report.cudagraphs
    if graph.symbols:
        # Skipped as a whole, as before torch 2.9, is what the option promises.
        return seen.recordings >= len(SIZES)
    assert seen.recordings == 1 and seen.replays > 0 and not seen.skips, seen
    return False
