import torch
from torch.nn.functional import scaled_dot_product_attention

from validators.probes import inductor_code


class Attention(torch.nn.Module):
    def __init__(self, contiguous):
        super().__init__()
        self.qkv, self.out = torch.nn.Linear(512, 3 * 512), torch.nn.Linear(512, 512)
        self.contiguous = contiguous

    def forward(self, x_BTD):
        batch, time, width = x_BTD.shape
        heads = self.qkv(x_BTD).view(batch, time, 3, 8, 64).permute(2, 0, 3, 1, 4).unbind()
        if self.contiguous:
            heads = [it.contiguous() for it in heads]
        y_BHTF = scaled_dot_product_attention(*heads)
        return self.out(y_BHTF.transpose(1, 2).reshape(batch, time, width))


@torch.no_grad()
def compiled(device, contiguous):
    x_BTD = torch.randn(2, 128, 512, device=device, dtype=torch.bfloat16)
    return inductor_code(Attention(contiguous).to(device, torch.bfloat16), [(x_BTD,)])


def symptom(device):
    return compiled(device, contiguous=True)


def remedy(device):
    return compiled(device, contiguous=False)


def shows(report):
    assert len(report.facts["externs"]) == 3
    return len(report.facts["kernels"]) == 4
