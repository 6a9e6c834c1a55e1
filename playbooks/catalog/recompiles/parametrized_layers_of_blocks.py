import torch
from torch.nn.utils.parametrizations import weight_norm
from torch.nn.utils.parametrize import remove_parametrizations

from validators.probes import compile_blocks, observe


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = weight_norm(torch.nn.Conv1d(4, 4, 3, padding=1))

    def forward(self, x):
        return x + torch.nn.functional.leaky_relu(self.convolution(x), 0.1)


class Vocoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(4))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


@torch.no_grad()
def generated(device, plain):
    torch.manual_seed(0)
    model = Vocoder().eval()
    if plain:
        for block in model.blocks:
            remove_parametrizations(block.convolution, "weight")
    x = torch.randn(2, 4, 16, device=device)
    return observe(
        model.to(device),
        [(x,)] * 2,
        compile=lambda it: compile_blocks(it, "blocks.*", backend="eager"),
        compare=("eager",),
    )


def symptom(device):
    return generated(device, plain=False)


def remedy(device):
    return generated(device, plain=True)


def shows(report):
    assert report.calls[0].difference.eager < 1e-5, report.calls
    assert sum(report.compiled) in (1, 4), report.compiled
    return sum(report.compiled) == 4
