import torch

from validators.probes import observe


class Rounded(torch.nn.Module):
    """A layer whose weights are rounded, with gradients as if they were not."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        weight = self.layer.weight * 8
        weight.data = weight.data.round()
        return torch.nn.functional.linear(x.relu(), weight).tanh()


class RoundedByDetach(Rounded):
    def forward(self, x):
        weight = self.layer.weight * 8
        weight = weight + (weight.round() - weight).detach()
        return torch.nn.functional.linear(x.relu(), weight).tanh()


def arm(device, module):
    torch.manual_seed(0)
    eager, model = Rounded().to(device), module().to(device)
    model.load_state_dict(eager.state_dict())
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)

    def step(forward, owner):
        def output_and_gradient(x):
            y = forward(x)
            return y, torch.autograd.grad(y.square().sum(), owner.layer.weight)

        return output_and_gradient

    return observe(
        step(eager, eager),
        [(torch.randn(2, 4, device=device),)] * 2,
        compile=lambda _: step(compiled, model),
        compare=["eager"],
    )


def symptom(device):
    return arm(device, Rounded)


def remedy(device):
    return arm(device, RoundedByDetach)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert [call.executions for call in report.calls] == [1, 1], report.calls
    assert len(report.graphs) == 1, report.graphs
    assert all(call.difference.eager < 1e-5 for call in report.calls), report.calls
    return False
