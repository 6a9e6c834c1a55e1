import torch
from torch._dynamo import config

from validators.probes import observe


class Tagger(torch.nn.Module):
    """Labels for the steps of a sequence: an encoder, an LSTM and a head."""

    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(6, 8)
        self.lstm = torch.nn.LSTM(8, 8, num_layers=2, batch_first=True)
        self.head = torch.nn.Linear(8, 3)

    def forward(self, x_BTC):
        hidden, _ = self.lstm(self.encoder(x_BTC).relu())
        return self.head(hidden).softmax(-1)


def labels(device, allow_rnn):
    torch.manual_seed(0)
    model = Tagger().to(device).eval()
    x = torch.randn(2, 5, 6, device=device)
    with config.patch(allow_rnn=allow_rnn), torch.no_grad():
        return observe(model, [(x,)] * 2, fullgraph=True, compare=["eager"])


def symptom(device):
    return labels(device, allow_rnn=False)


def remedy(device):
    return labels(device, allow_rnn=True)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    ops = [op for op in report.graphs[0].targets if "lstm" in op]
    healthy = len(report.graphs) == 1 and len(ops) == 1
    assert healthy and all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
