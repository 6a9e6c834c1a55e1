import torch
import torch._dynamo

from validators.probes import observe


def mean_of_kept(x_ND, keep_N, temperature):
    kept_MD = x_ND[keep_N]
    return kept_MD.mean(0) / temperature.item()


def check(device, **options):
    x_ND = torch.ones(6, 4, device=device)
    keep_N = torch.arange(6, device=device) > 1
    temperature = torch.tensor(0.5, device=device)
    return observe(mean_of_kept, [(x_ND, keep_N, temperature)], **options)


def symptom(device):
    return check(device, fullgraph=True)


def remedy(device):
    with torch._dynamo.error_on_graph_break(True):
        return check(device)


def shows(report):
    # The check that raises has found the break.
    if report.exception is not None:
        return False
    captured = {target for graph in report.graphs for target in graph.targets}
    return {"getitem", "item"} <= captured
