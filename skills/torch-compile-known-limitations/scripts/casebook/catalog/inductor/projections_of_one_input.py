import torch

from validators.probes import inductor_code


class Apart(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (torch.nn.Linear(1024, 1024, bias=False) for _ in range(3))

    def forward(self, x):
        return self.q(x), self.k(x), self.v(x)


class Together(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(1024, 3 * 1024, bias=False)

    def forward(self, x):
        return self.qkv(x).chunk(3, dim=-1)


@torch.no_grad()
def projected(device, model):
    x = torch.randn(64, 1024, device=device, dtype=torch.bfloat16)
    return inductor_code(model.to(device, torch.bfloat16), [(x,)])


def symptom(device):
    return projected(device, Apart())


def remedy(device):
    return projected(device, Together())


def shows(report):
    return report.facts["externs"] == ["mm"] * 3
