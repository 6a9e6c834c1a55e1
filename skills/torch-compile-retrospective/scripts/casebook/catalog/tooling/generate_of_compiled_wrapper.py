import torch
from torch import nn

from validators.probes import observe


class Generator(nn.Module):
    """A language model with the method that users call, which is not `forward`."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(16, 8)
        self.head = nn.Linear(8, 16)

    def forward(self, ids):
        return self.head(self.embed(ids).cumsum(1).tanh())

    @torch.no_grad()
    def generate(self, ids, steps=3):
        window = ids.shape[1]
        for _ in range(steps):
            following = self(ids[:, -window:])[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat((ids, following), dim=1)
        return ids


def wrapped(model):
    return torch.compile(model, backend="eager").generate


def in_place(model):
    model.compile(backend="eager")
    return model.generate


def generate(device, way, **options):
    prompt = torch.tensor([[1, 2, 3, 4]], device=device)
    model = Generator().to(device)
    return observe(model, [(prompt,), (prompt,)], compile=way, **options)


def symptom(device):
    return generate(device, wrapped, eager=True)


def remedy(device):
    return generate(device, in_place)


def shows(report):
    assert report.exception is None, report.exception
    executed = [call.executions for call in report.calls]
    if executed == [0, 0]:
        assert not report.graphs, report.graphs
        return True
    assert executed == [3, 3], executed
    return False
