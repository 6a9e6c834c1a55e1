import torch
from torch import nn

from validators.probes import observe


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 32)
        self.dropout = nn.Dropout(0.5)
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.dropout(self.body(x).relu()))


def train_then_evaluate(device, **options):
    model, x = Classifier().to(device), torch.randn(16, 8, device=device)
    compiled = torch.compile(model, backend="eager", **options)

    def epoch(training, x):
        model.train(training)
        return compiled(x)

    calls = [(True, x), (False, x)]
    return observe(epoch, calls, compile=lambda step: step, compare=("eager",))


def symptom(device):
    unguarded = torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe
    return train_then_evaluate(device, options={"guard_filter_fn": unguarded})


def remedy(device):
    return train_then_evaluate(device)


def shows(report):
    _training, evaluation = report.calls
    return evaluation.difference.eager > 0.01 and evaluation.compiled == 0
