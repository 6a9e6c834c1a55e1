import torch

from validators.probes import observe


class Stamped(torch.nn.Module):
    """Adds the embedding of a random time step, as the training of a diffusion model does."""

    def __init__(self):
        super().__init__()
        self.layer, self.time = torch.nn.Linear(4, 4), torch.nn.Embedding(10, 4)

    def forward(self, x_BD):
        hidden = self.layer(x_BD)
        step_B = torch.empty(len(x_BD), dtype=torch.long, device=x_BD.device).random_(10)
        return (hidden + self.time(step_B)).tanh()


class StampedByRandint(Stamped):
    def forward(self, x_BD):
        hidden = self.layer(x_BD)
        step_B = torch.randint(10, (len(x_BD),), device=x_BD.device)
        return (hidden + self.time(step_B)).tanh()


def train(model, device):
    torch.manual_seed(0)
    return observe(model().to(device), [(torch.randn(3, 4, device=device),)] * 2)


def symptom(device):
    return train(Stamped, device)


def remedy(device):
    return train(StampedByRandint, device)


def shows(report):
    assert report.exception is None, report.exception
    executions = [call.executions for call in report.calls]
    if not report.graph_breaks:
        assert (len(report.graphs), executions) == (1, [1, 1]), report
        assert any("randint" in op for op in report.graphs[0].targets), report.graphs
        return False
    return executions == [2, 2]
