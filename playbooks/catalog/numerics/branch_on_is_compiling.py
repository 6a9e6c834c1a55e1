import torch
from torch import nn

from validators.probes import observe


class Encoder(nn.Module):
    """Maps a padded batch to the mean of each row's steps."""

    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 8)

    def forward(self, x_BTD, lengths_B):
        return self.mean(self.proj(x_BTD).relu(), lengths_B)


class EncoderWithTwoBranches(Encoder):
    def mean(self, x_BTD, lengths_B):
        if torch.compiler.is_compiling():
            # Slices of `lengths_B.tolist()` break the graph.
            return x_BTD.mean(1)
        rows = zip(x_BTD, lengths_B.tolist(), strict=True)
        return torch.stack([row[:length].mean(0) for row, length in rows])


class EncoderWithOneBranch(Encoder):
    def mean(self, x_BTD, lengths_B):
        steps_T = torch.arange(x_BTD.size(1), device=x_BTD.device)
        kept_BT1 = (steps_T < lengths_B[:, None])[..., None]
        return x_BTD.masked_fill(~kept_BT1, 0).sum(1) / lengths_B[:, None]


def encode(device, model):
    torch.manual_seed(0)
    model = model().to(device)
    calls = [
        (torch.randn(3, 6, 8, device=device), torch.tensor(lengths, device=device))
        for lengths in ((6, 3, 2), (1, 4, 5))
    ]
    return observe(model, calls, compare=("eager", "gradients"))


def symptom(device):
    return encode(device, EncoderWithTwoBranches)


def remedy(device):
    return encode(device, EncoderWithOneBranch)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    far = [(call.difference.eager, call.difference.gradients_eager) for call in report.calls]
    wrong = [output > 0.01 and gradient > 0.01 for output, gradient in far]
    assert len(set(wrong)) == 1 and (wrong[0] or max(map(max, far)) < 1e-5), far
    return wrong[0]
