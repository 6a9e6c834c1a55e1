import torch
import torch.nn.functional as F

from validators.probes import observe

EXPERTS = 3


def loop_over_chosen(x_TC, chosen_T, weights_ECC):
    mask_ET = F.one_hot(chosen_T, EXPERTS).T
    out_TC = torch.zeros_like(x_TC)
    for hit in (mask_ET.sum(1) > 0).nonzero():
        expert = hit[0]
        (rows,) = torch.where(mask_ET[expert])
        out_TC.index_add_(0, rows, x_TC[rows] @ weights_ECC[expert])
    return out_TC


def loop_over_all(x_TC, chosen_T, weights_ECC):
    mask_ET = F.one_hot(chosen_T, EXPERTS).T
    out_TC = torch.zeros_like(x_TC)
    for expert in range(EXPERTS):
        out_TC = out_TC + mask_ET[expert, :, None] * (x_TC @ weights_ECC[expert])
    return out_TC


def run(forward, device):
    generator = torch.Generator().manual_seed(0)
    x_TC = torch.randn(5, 4, generator=generator).to(device)
    weights_ECC = torch.randn(EXPERTS, 4, 4, generator=generator).to(device)
    routes = ([0, 2, 2, 0, 2], [1, 2, 0, 0, 1])
    calls = [(x_TC, torch.tensor(route, device=device), weights_ECC) for route in routes]

    def compiled(_):
        return torch.compile(forward, backend="eager")

    # Both are held to the loop in eager mode: all experts must add up to the chosen ones.
    return observe(loop_over_chosen, calls, compile=compiled, compare=["eager"])


def symptom(device):
    return run(loop_over_chosen, device)


def remedy(device):
    return run(loop_over_all, device)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    if report.graph_breaks:
        return True
    assert len(report.graphs) == 1 and not report.recompiles, report
    return False
