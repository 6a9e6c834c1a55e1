import torch

from validators.probes import observe


class Attention(torch.nn.Module):
    def __init__(self, verbose_forward):
        super().__init__()
        self.verbose_forward = verbose_forward
        self.qkv = torch.nn.Linear(8, 24)
        print("Warning: flash attention is not available, using the slower form.")

    def forward(self, x_BTD):
        q_BTD, k_BTD, v_BTD = self.qkv(x_BTD).chunk(3, dim=-1)
        if self.verbose_forward:
            print("Warning: flash attention is not available, using the slower form.")
        return torch.softmax(q_BTD @ k_BTD.mT, -1) @ v_BTD


def run(device, verbose_forward):
    model = Attention(verbose_forward).to(device)
    x_BTD = torch.ones(2, 4, 8, device=device)
    return observe(model, [(x_BTD,), (x_BTD,)])


def symptom(device):
    return run(device, verbose_forward=True)


def remedy(device):
    return run(device, verbose_forward=False)


def shows(report):
    assert report.exception is None, report.exception
    assert len(report.graphs) == 1 + len(report.graph_breaks), report.graphs
    return bool(report.graph_breaks)
