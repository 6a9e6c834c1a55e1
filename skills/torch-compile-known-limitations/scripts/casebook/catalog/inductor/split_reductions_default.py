import torch

from validators.probes import inductor_code


def total(loss):
    return loss.sum()


def compiled(device, split):
    losses = torch.randn(2**22, device=device)
    return inductor_code(total, [(losses,)], options={"split_reductions": split})


def symptom(device):
    return compiled(device, split=False)


def remedy(device):
    return compiled(device, split=True)


def shows(report):
    return len(report.facts["kernels"]) == 1
