import torch

from validators.probes import observe


def one_round(x):
    x = x - x.logsumexp(1, keepdim=True)
    x = x - x.logsumexp(0, keepdim=True)
    return x, (x.exp().sum(1) - 1).abs().max()


def settle(x, tolerance):
    for _ in range(12):
        x, error = one_round(x)
        if error < tolerance:
            return x.exp()
    return x.exp()


def settle_outside(one_round):
    compiled_round = torch.compile(one_round, backend="eager", fullgraph=True)

    def settle(x, tolerance):
        for _ in range(12):
            x, error = compiled_round(x)
            if error < tolerance:
                return x.exp()
        return x.exp()

    return settle


def scores(device):
    generator = torch.Generator().manual_seed(0)
    return 10 * torch.rand(8, 8, generator=generator).to(device)


def symptom(device):
    return observe(settle, [(scores(device), 0.0)])


def remedy(device):
    return observe(one_round, [(scores(device), 0.0)], compile=settle_outside)


def shows(report):
    # The function's own graph and eight of resume functions, as many as the limit allows.
    return [graph.executions for graph in report.graphs][:9] == [1] * 9
