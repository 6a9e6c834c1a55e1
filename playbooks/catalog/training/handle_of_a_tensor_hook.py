import torch

from validators.probes import observe


class Encoder(torch.nn.Module):
    """Gradients of the hidden tensor are damped on their way back."""

    def __init__(self):
        super().__init__()
        self.body, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)

    def forward(self, x):
        hidden = self.body(x).relu()
        self.damped = hidden.register_hook(lambda grad: grad * 0.5)
        return self.head(hidden.tanh())


class ForgetfulEncoder(Encoder):
    def forward(self, x):
        hidden = self.body(x).relu()
        hidden.register_hook(lambda grad: grad * 0.5)
        return self.head(hidden.tanh())


def gradient(model, forward):
    def of_weights(x):
        return torch.autograd.grad(forward(x).sum(), model.body.weight)

    return of_weights


def arm(device, encoder):
    torch.manual_seed(0)
    eager, model = Encoder().to(device), encoder().to(device)
    model.load_state_dict(eager.state_dict())
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    return observe(
        gradient(eager, eager),
        [(torch.randn(2, 4, device=device),)] * 2,
        compile=lambda _: gradient(model, compiled),
        compare=["eager"],
    )


def symptom(device):
    return arm(device, Encoder)


def remedy(device):
    return arm(device, ForgetfulEncoder)


def shows(report):
    if report.exception is not None:
        # Torch 2.9 refuses the hook itself, with the handle kept or not.
        return not report.graphs
    assert report.executions == (1, 1), report.calls
    assert len(report.graphs) == 1, report.graphs
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    return False
