import torch

from validators.probes import inductor_code


def collect(values, index, rows):
    return values.index_put((index,), rows, accumulate=True) + 1


@torch.no_grad()
def compiled(device, deterministic):
    values, rows = (torch.randn(n, 1024, device=device) for n in (64, 10))
    index = torch.zeros(10, device=device, dtype=torch.long)
    torch.use_deterministic_algorithms(deterministic)
    return inductor_code(collect, [(values, index, rows)])


def symptom(device):
    return compiled(device, deterministic=True)


def remedy(device):
    return compiled(device, deterministic=False)


def shows(report):
    return report.facts["dispatched"].get("aten::index_put_") == 1
