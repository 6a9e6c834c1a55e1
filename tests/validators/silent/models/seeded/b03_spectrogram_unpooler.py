import torch
from torch import nn
from torch.nn import functional as F


class SpectrogramUnpooler(nn.Module):
    """Keeps the strongest cells of a (batch, channel, time, mel) map and rebuilds a sparse map."""

    def __init__(self, channels=4, grid=(2, 2)):
        super().__init__()
        self.grid = grid
        self.scale = nn.Parameter(torch.rand(channels) + 0.5)
        self.refine = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)
        self.out = nn.Conv2d(channels, 1, 1)

    def compress(self, spectrogram):
        power = spectrogram.square().clamp_min(1e-6)
        return power.log() * self.scale[:, None, None]

    def forward(self, spectrogram):
        mel_major = self.compress(spectrogram).transpose(-1, -2)
        peaks, where = F.adaptive_max_pool2d(mel_major, self.grid, return_indices=True)
        height, width = mel_major.shape[-2:]
        sparse = mel_major.new_zeros(*mel_major.shape[:2], height * width)
        sparse = sparse.scatter(2, where.flatten(2), torch.sigmoid(peaks).flatten(2))
        sparse = sparse.unflatten(2, (height, width))
        smooth = F.gelu(self.refine(sparse)) + sparse
        rows = (where // width).float().mean((2, 3))
        return self.out(smooth).squeeze(1), rows / height


def example():
    torch.manual_seed(5)
    model = SpectrogramUnpooler().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model, [(torch.randn(2, 4, 12, 10),)]
