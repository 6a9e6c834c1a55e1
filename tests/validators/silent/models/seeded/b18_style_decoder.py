import torch
from torch import nn

NEUTRAL = torch.full((8,), 0.5)
CHEERFUL = torch.linspace(-1.0, 1.0, 8)
CALM = torch.linspace(2.0, 0.0, 8)


class StyleDecoder(nn.Module):
    """Text-to-speech decoder; no conditioning is applied for the neutral voice."""

    def __init__(self, width=12, style=8, mels=6):
        super().__init__()
        self.inp = nn.Linear(width, width)
        self.scale = nn.Linear(style, width)
        self.shift = nn.Linear(style, width)
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.out = nn.Linear(width, mels)

    def forward(self, tokens, style):
        hidden = self.norm(torch.nn.functional.gelu(self.inp(tokens)))
        if style is not NEUTRAL:
            hidden = hidden * (1 + self.scale(style)) + self.shift(style)
        mixed = self.conv(hidden.transpose(1, 2)).transpose(1, 2)
        hidden = hidden + torch.tanh(mixed)
        mel = torch.nn.functional.softplus(self.out(hidden))
        return mel, mel.sum(-1).log().mean(-1)


def example():
    torch.manual_seed(61)
    model = StyleDecoder().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    tokens = torch.randn(2, 7, 12)
    return model, [(tokens, NEUTRAL), (tokens, CHEERFUL), (tokens, CALM)]
