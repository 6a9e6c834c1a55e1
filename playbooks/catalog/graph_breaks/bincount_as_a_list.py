import torch
from torch import nn
from torch.nn.functional import one_hot

from validators.probes import observe

COUNTS = ((4, 4, 4, 4), (5, 3, 6, 2), (0, 8, 4, 4), (16, 0, 0, 0))


def by_bincount(expert_T, experts):
    return torch.bincount(expert_T, minlength=experts)


def by_one_hot(expert_T, experts):
    return one_hot(expert_T, experts).sum(0)


class Experts(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.count = count
        self.experts = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))

    def forward(self, x_TD, expert_T):
        order_T = expert_T.argsort()
        counts = self.count(expert_T, len(self.experts))
        parts = x_TD[order_T].split(counts.tolist())
        y_TD = torch.cat([expert(part) for expert, part in zip(self.experts, parts, strict=True)])
        return torch.empty_like(y_TD).index_copy(0, order_T, y_TD)


@torch.no_grad()
def route(device, count):
    torch.manual_seed(0)
    calls = []
    for counts in COUNTS:
        expert_T = torch.arange(4, device=device).repeat_interleave(
            torch.tensor(counts, device=device)
        )
        calls.append((torch.randn(16, 8, device=device), expert_T))
    model = Experts(count).to(device)
    return observe(model, calls, backend="aot_eager", fullgraph=True, compare=("eager",))


def symptom(device):
    return route(device, by_bincount)


def remedy(device):
    return route(device, by_one_hot)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    return len(report.graphs) != 1
