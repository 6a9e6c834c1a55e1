import torch

from validators.probes import inductor_code


def apart(x):
    return (x - x.mean()) / x.std()


def together(x):
    std, mean = torch.std_mean(x)
    return (x - mean) / std


@torch.no_grad()
def compiled(device, normalize):
    return inductor_code(normalize, [(torch.randn(2048, 2048, device=device),)])


def symptom(device):
    return compiled(device, apart)


def remedy(device):
    return compiled(device, together)


def shows(report):
    return len(report.facts["kernels"]) == 4
