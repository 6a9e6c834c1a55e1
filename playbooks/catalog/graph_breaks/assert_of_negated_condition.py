import torch

from validators.probes import observe


def negated(x_BC):
    y_BC = x_BC.exp()
    assert not y_BC.isinf().any(), "overflow"
    return y_BC / y_BC.sum(-1, keepdim=True)


def joined(x_BC):
    y_BC = x_BC.exp()
    assert y_BC.min() > 0 and y_BC.max() < 1e30, "out of range"
    return y_BC / y_BC.sum(-1, keepdim=True)


def negated_in_the_tensor(x_BC):
    y_BC = x_BC.exp()
    assert (~y_BC.isinf()).all(), "overflow"
    return y_BC / y_BC.sum(-1, keepdim=True)


def apart(x_BC):
    y_BC = x_BC.exp()
    assert y_BC.min() > 0, "too small"
    assert y_BC.max() < 1e30, "too large"
    return y_BC / y_BC.sum(-1, keepdim=True)


def run(first, second, device):
    torch.manual_seed(0)
    x_BC = torch.randn(2, 4, device=device, requires_grad=True)

    def both(x_BC):
        return first(x_BC), second(x_BC)

    return observe(both, [(x_BC,)] * 2, compare=["eager", "gradients"])


def symptom(device):
    return run(negated, joined, device)


def remedy(device):
    return run(negated_in_the_tensor, apart, device)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-6, report.calls
    checks = sum(graph.targets.get("torch._assert_async", 0) for graph in report.graphs)
    if not report.graph_breaks:
        # The checks are ops of the graph, not left out of it.
        assert len(report.graphs) == 1 and checks == 3, report.graphs
        return False
    # Each of the two conditions breaks the graph; of `and`, the last part alone becomes a check.
    assert checks < 2, report.graphs
    return len(report.graphs) >= 4
