import torch

from validators.probes import observe


def smooth_by_matrix(x_NC, adjacency):
    return (torch.sparse.mm(adjacency, x_NC) + x_NC).relu()


def smooth_by_edges(x_NC, source_E, target_E, weight_E):
    messages_EC = x_NC[source_E] * weight_E[:, None]
    return (torch.zeros_like(x_NC).index_add(0, target_E, messages_EC) + x_NC).relu()


def graph(device):
    torch.manual_seed(0)
    target, source = torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]], device=device)
    return torch.randn(4, 3, device=device), source, target, torch.rand(4, device=device)


def by_matrix(x, source, target, weight):
    matrix = torch.sparse_coo_tensor(torch.stack([target, source]), weight, (4, 4))
    return smooth_by_matrix(x, matrix.coalesce())


def symptom(device):
    x, source, target, weight = graph(device)
    adjacency = torch.sparse_coo_tensor(torch.stack([target, source]), weight, (4, 4))
    return observe(smooth_by_matrix, [(x, adjacency.coalesce())] * 2, fullgraph=True)


def remedy(device):
    compiled = torch.compile(smooth_by_edges, backend="eager", fullgraph=True)
    # Eager mode's answer is that of the product with the sparse matrix.
    return observe(by_matrix, [graph(device)] * 2, compile=lambda _: compiled, compare=["eager"])


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
