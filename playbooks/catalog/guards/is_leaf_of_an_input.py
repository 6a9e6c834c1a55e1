import torch

from validators.probes import observe


class Head(torch.nn.Module):
    """Treats what another module computed in another way than an input of the model."""

    def __init__(self, asks_inside):
        super().__init__()
        self.asks_inside = asks_inside

    def forward(self, hidden, computed):
        if self.asks_inside:
            computed = not hidden.is_leaf
        return hidden * 2 if computed else hidden + 1


class Model(torch.nn.Module):
    """An eager model around a head that is compiled by itself."""

    def __init__(self, asks_inside):
        super().__init__()
        self.head = Head(asks_inside)

    def forward(self, x, scaled):
        hidden = x * 3 if scaled else x
        return self.head(hidden, not hidden.is_leaf)


def compile_head(model):
    model.head.compile(backend="eager")
    return model


def two_calls(device, asks_inside):
    x = torch.ones(4, device=device, requires_grad=True)
    calls = [(x, False), (x, True)]
    return observe(Model(asks_inside), calls, compile=compile_head, compare=["eager"])


def symptom(device):
    return two_calls(device, asks_inside=True)


def remedy(device):
    return two_calls(device, asks_inside=False)


def shows(report):
    assert report.exception is None and not report.graph_breaks, report
    wrong = [call.difference.eager > 0 for call in report.calls]
    assert wrong in ([False, True], [False, False]), wrong
    return wrong[1]
