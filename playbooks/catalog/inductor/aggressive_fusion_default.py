import torch

from validators.probes import inductor_code


def activate(gate, up):
    """Two branches that meet only later, elsewhere: their ops share no tensor."""
    return torch.sigmoid(gate) * 2, torch.tanh(up) + 1


def compiled(device, aggressive):
    inputs = [torch.randn(64, 64, device=device) for _ in range(2)]
    return inductor_code(activate, [inputs], options={"aggressive_fusion": aggressive})


def symptom(device):
    return compiled(device, aggressive=False)


def remedy(device):
    return compiled(device, aggressive=True)


def shows(report):
    return len(report.facts["kernels"]) == 2
