import torch

from validators.probes import observe

WIDTH = 4


def project_into(x, weight, buffer):
    torch.mm(x, weight, out=buffer[:, :WIDTH])
    return buffer.relu()


def project_and_copy(x, weight, buffer):
    buffer[:, :WIDTH] = x @ weight
    return buffer.relu()


def run(device, forward):
    x, weight = torch.ones(2, 3, device=device), torch.ones(3, WIDTH, device=device)
    calls = [(x, weight, torch.zeros(2, 2 * WIDTH, device=device)) for _ in range(2)]
    return observe(forward, calls, compare=["eager"])


def symptom(device):
    return run(device, project_into)


def remedy(device):
    return run(device, project_and_copy)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls)
    ops = {op.rpartition(".")[2] for graph in report.graphs for op in graph.targets}
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and "relu" in ops and ops & {"matmul", "mm"}, ops
        return False
    return not ops & {"matmul", "mm"}
