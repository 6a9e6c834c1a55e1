import torch

from validators.probes import inductor_code


def activate(gate, up):
    """Two branches that meet only later, elsewhere: their ops share no tensor."""
    return torch.sigmoid(gate) * 2, torch.tanh(up) + 1


def compiled(device, **options):
    inputs = [torch.randn(64, 64, device=device) for _ in range(2)]
    return inductor_code(activate, [inputs], options={"aggressive_fusion": True, **options})


def symptom(device):
    return compiled(device)


def remedy(device):
    return compiled(device, score_fusion_memory_threshold=0)


def shows(report):
    return len(report.facts["kernels"]) == 2
