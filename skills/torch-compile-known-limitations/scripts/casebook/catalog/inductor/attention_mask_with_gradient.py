import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code


class Biased(torch.nn.Module):
    def __init__(self, detached):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(128, 128))
        self.detached = detached

    def forward(self, q, k, v):
        bias = self.bias.detach() if self.detached else self.bias
        return scaled_dot_product_attention(q, k, v, attn_mask=bias)


@torch.no_grad()
def compiled(device, detached):
    q, k, v = (torch.randn(2, 4, 128, 64, device=device, dtype=torch.bfloat16) for _ in range(3))
    return inductor_code(Biased(detached).to(device, torch.bfloat16), [(q, k, v)])


def symptom(device):
    return compiled(device, detached=False)


def remedy(device):
    return compiled(device, detached=True)


def shows(report):
    (called,) = report.facts["externs"]
    return "efficient_attention" in called
