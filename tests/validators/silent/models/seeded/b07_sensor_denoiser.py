import torch
from torch import nn
from torch.nn import functional as F


def haar(signal):
    even, odd = signal[..., 0::2], signal[..., 1::2]
    return (even + odd) * 0.5**0.5, (even - odd) * 0.5**0.5


def inverse_haar(approx, detail):
    even = (approx + detail) * 0.5**0.5
    odd = (approx - detail) * 0.5**0.5
    return torch.stack([even, odd], dim=-1).flatten(-2)


class SensorDenoiser(nn.Module):
    """Two-level wavelet shrinkage; readings that a sensor lost are NaN and are left out of the mean."""

    def __init__(self, sensors=4, threshold=0.4):
        super().__init__()
        self.threshold = threshold
        self.gain = nn.Parameter(1 + 0.1 * torch.randn(sensors))
        self.head = nn.Linear(sensors, 3)

    def forward(self, readings):
        scaled = readings * self.gain[:, None]
        approx, fine = haar(scaled)
        coarse, middle = haar(approx)
        fine = F.softshrink(fine, self.threshold)
        middle = F.softshrink(middle, self.threshold / 2)
        detail = torch.cat([middle, fine], dim=-1)
        activity = detail.abs().nanmean(dim=-1)
        lost = detail.isnan().float().mean(dim=-1)
        clean = inverse_haar(inverse_haar(coarse, middle), fine)
        level = clean.nanmean(dim=-1)
        return self.head(torch.tanh(activity + level)), activity, lost


def example():
    torch.manual_seed(41)
    model = SensorDenoiser().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    readings = torch.randn(2, 4, 32).cumsum(-1) * 0.5
    readings[0, 1, 5:9] = float("nan")
    readings[1, 3, 20] = float("nan")
    readings[1, 0, 12:15] = float("nan")
    return model, [(readings,)]
