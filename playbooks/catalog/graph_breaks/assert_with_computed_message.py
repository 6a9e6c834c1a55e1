import torch

from validators.probes import observe


def with_f_string(x_BC):
    y_BC = x_BC.exp()
    assert y_BC.isfinite().all(), f"overflow in a batch of shape {y_BC.shape}"
    return y_BC / y_BC.sum(-1, keepdim=True)


def with_literal(x_BC):
    y_BC = x_BC.exp()
    assert y_BC.isfinite().all(), "overflow"
    return y_BC / y_BC.sum(-1, keepdim=True)


def run(forward, device):
    torch.manual_seed(0)
    x_BC = torch.randn(2, 4, device=device, requires_grad=True)
    return observe(forward, [(x_BC,)] * 2, compare=["eager", "gradients"])


def symptom(device):
    return run(with_f_string, device)


def remedy(device):
    return run(with_literal, device)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-6, report.calls
    checks = sum(graph.targets.get("torch._assert_async", 0) for graph in report.graphs)
    if not report.graph_breaks:
        # The check is an op of the graph, not left out of it.
        assert len(report.graphs) == 1 and checks == 1, report.graphs
        return False
    assert checks == 0, report.graphs
    return len(report.graphs) == 2
