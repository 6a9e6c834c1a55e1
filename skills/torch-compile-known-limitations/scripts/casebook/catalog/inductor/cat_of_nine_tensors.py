import torch

from validators.probes import inductor_code


def joined(*parts):
    return torch.cat([part.sin() for part in parts], dim=-1) + 1


@torch.no_grad()
def compiled(device, **options):
    parts = [torch.randn(64, 128, device=device) for _ in range(9)]
    return inductor_code(joined, [parts], options=options)


def symptom(device):
    return compiled(device)


def remedy(device):
    return compiled(device, force_pointwise_cat=True)


def shows(report):
    return len(report.facts["kernels"]) == 10
