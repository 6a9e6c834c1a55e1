import torch
from torch import nn
from torch._dynamo import config
from torch.nn.functional import one_hot

from validators.probes import observe

EVERY_EXPERT = ((4, 4, 4, 4), (5, 3, 6, 2), (2, 7, 4, 3))
ONE_EMPTY = ((0, 8, 4, 4), (4, 0, 6, 6), (4, 4, 0, 8), (5, 5, 6, 0))


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))

    def forward(self, x_TD, expert_T):
        order_T = expert_T.argsort()
        counts = one_hot(expert_T, len(self.experts)).sum(0)
        parts = x_TD[order_T].split(counts.tolist())
        y_TD = torch.cat([expert(part) for expert, part in zip(self.experts, parts, strict=True)])
        return torch.empty_like(y_TD).index_copy(0, order_T, y_TD)


@torch.no_grad()
def route(device, capture):
    torch.manual_seed(0)
    calls = []
    for counts in (*EVERY_EXPERT, *ONE_EMPTY):
        expert_T = torch.arange(4, device=device).repeat_interleave(
            torch.tensor(counts, device=device)
        )
        calls.append((torch.randn(16, 8, device=device), expert_T))
    with config.patch(capture_scalar_outputs=capture):
        model = Experts().to(device)
        # `eager`: torch 2.9 puts the counts into the graph, fails to compile it, and runs eagerly.
        return observe(model, calls, backend="aot_eager", compare=("eager",), eager=not capture)


def symptom(device):
    return route(device, capture=False)


def remedy(device):
    return route(device, capture=True)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    compiled = [call.compiled for call in report.calls]
    if not report.graph_breaks:
        return compiled != [1, 0, 0, 0, 0, 0, 0]
    return compiled == [2, 1, 0, 1, 1, 1, 1]
