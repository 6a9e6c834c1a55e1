import torch

from validators.probes import inductor_code


def viewed(packed):
    return (packed + 1).view(torch.uint8).float() * 2


def shifted(packed):
    at = torch.arange(0, 32, 8, device=packed.device)
    parts = ((packed + 1)[..., None] >> at) & 255
    return parts.flatten(-2).float() * 2


@torch.no_grad()
def compiled(device, unpack):
    packed = torch.randint(2**31 - 1, (64, 256), device=device, dtype=torch.int32)
    return inductor_code(unpack, [(packed,)])


def symptom(device):
    return compiled(device, viewed)


def remedy(device):
    return compiled(device, shifted)


def shows(report):
    return len(report.facts["kernels"]) == 2 and "aten.view.dtype" in report.facts["externs"]
