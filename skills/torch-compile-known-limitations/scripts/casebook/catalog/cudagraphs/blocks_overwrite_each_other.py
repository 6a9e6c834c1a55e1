import torch
from torch import nn

from validators.probes import observe


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)

    def forward(self, x):
        return x + torch.tanh(self.linear(x))


def block_by_block(model):
    for block in model:
        block.compile(mode="reduce-overhead")
    return model


def whole(model):
    return torch.compile(model, mode="reduce-overhead")


@torch.no_grad()
def serve(device, compile_):
    model = nn.Sequential(Block(), Block(), Block()).to(device)
    return observe(model, [(torch.randn(4, 16, device=device),)] * 4, compile=compile_)


def symptom(device):
    return serve(device, block_by_block)


def remedy(device):
    return serve(device, whole)


def shows(report):
    seen = report.cudagraphs
    if report.exception is None:
        return seen is None or seen.replays == 0
    return seen is not None and seen.overwritten_outputs > 0
