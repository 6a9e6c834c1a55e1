import torch

from validators.probes import observe


class Router(torch.nn.Module):
    """Soft weights while it learns, hard ones while it predicts."""

    def __init__(self):
        super().__init__()
        self.gate, self.value = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, x_TD):
        weight = self.gate(x_TD).softmax(-1)
        if torch.is_inference_mode_enabled():
            weight = weight.round()
        return weight * self.value(x_TD)


class RouterByGradMode(Router):
    def forward(self, x_TD):
        weight = self.gate(x_TD).softmax(-1)
        if not torch.is_grad_enabled():
            weight = weight.round()
        return weight * self.value(x_TD)


def learning_then_predicting(device, router):
    torch.manual_seed(0)
    model = router().to(device)
    x = torch.randn(3, 4, device=device)

    def calls():
        yield (x,)
        with torch.inference_mode():
            yield (x,)

    return observe(model, calls(), compare=["eager"])


def symptom(device):
    return learning_then_predicting(device, Router)


def remedy(device):
    return learning_then_predicting(device, RouterByGradMode)


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager == 0 for call in report.calls), report.calls
    executions = [call.executions for call in report.calls]
    if not report.graph_breaks:
        # One graph of each mode: the question is answered anew, by a guard.
        assert (len(report.graphs), executions) == (2, [1, 1]), report
        assert sum("round" in graph.targets for graph in report.graphs) == 1, report.graphs
        return False
    return executions == [2, 2]
