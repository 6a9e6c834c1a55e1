import torch

from validators.probes import inductor_code


def by_topk(logits):
    return torch.softmax(logits, dim=-1).topk(1, dim=-1)


def by_max(logits):
    return torch.softmax(logits, dim=-1).max(dim=-1, keepdim=True)


@torch.no_grad()
def compiled(device, best):
    return inductor_code(best, [(torch.randn(64, 1024, device=device),)])


def symptom(device):
    return compiled(device, by_topk)


def remedy(device):
    return compiled(device, by_max)


def shows(report):
    assert len(report.facts["kernels"]) == 1
    return report.facts["externs"] == ["aten.topk.default"]
