import torch

from validators.probes import observe


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)

    def forward(self, x_BD, tap_BD):
        hidden = self.body(x_BD).relu()
        hidden.retain_grad()
        return self.head(hidden.tanh()).sum(), hidden


class TappedEncoder(Encoder):
    def forward(self, x_BD, tap_BD):
        hidden = self.body(x_BD).relu() + tap_BD
        return self.head(hidden.tanh()).sum(), tap_BD


def gradient_by_hidden(model, x_BD):
    loss, kept = model(x_BD, torch.zeros_like(x_BD).requires_grad_())
    loss.backward()
    return kept.grad


def arm(device, model_class):
    torch.manual_seed(0)
    eager = Encoder().to(device)
    model = model_class().to(device)
    model.load_state_dict(eager.state_dict())
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    return observe(
        lambda x_BD: gradient_by_hidden(eager, x_BD),
        [(torch.randn(3, 4, device=device),)] * 2,
        compile=lambda _: lambda x_BD: gradient_by_hidden(compiled, x_BD),
        compare=["eager"],
    )


def symptom(device):
    return arm(device, Encoder)


def remedy(device):
    return arm(device, TappedEncoder)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert [call.executions for call in report.calls] == [1, 1], report.calls
    assert len(report.graphs) == 1, report.graphs
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    return False
