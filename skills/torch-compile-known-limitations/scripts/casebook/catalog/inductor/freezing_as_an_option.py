import torch
from torch._inductor import config

from validators.probes import inductor_code


class Normalized(torch.nn.Module):
    """A layer whose weight is normalized on the fly, as in weight normalization."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(16, 16))
        self.scale = torch.nn.Parameter(torch.rand(16))

    def forward(self, x):
        weight = self.weight / self.weight.norm(dim=1, keepdim=True) * self.scale[:, None]
        return x @ weight.t()


@torch.no_grad()
def infer(device, **options):
    model = Normalized().to(device).eval()
    return inductor_code(model, [(torch.randn(4, 16, device=device),)], **options)


def symptom(device):
    return infer(device, options={"freezing": True})


def remedy(device):
    with config.patch(freezing=True):
        return infer(device)


def shows(report):
    return len(report.facts["kernels"]) > 0
