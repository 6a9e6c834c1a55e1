import torch

from validators.probes import inductor_code


def probabilities(logits):
    return torch.softmax(logits, dim=-1)


@torch.no_grad()
def compiled(device, rows):
    return inductor_code(probabilities, [(torch.randn(rows, 131072, device=device),)])


def symptom(device):
    return compiled(device, rows=4)


def remedy(device):
    return compiled(device, rows=1024)


def shows(report):
    return len(report.facts["kernels"]) > 1
