import torch
from torch.nn.functional import cross_entropy

from validators.probes import inductor_code


def loss(logits, labels):
    return cross_entropy(logits.float(), labels)


def cast_outside(function):
    compiled = torch.compile(function)
    return lambda logits, labels: compiled(logits.float(), labels)


@torch.no_grad()
def compiled(device, **options):
    logits = torch.randn(1024, 1000, device=device, dtype=torch.bfloat16)
    labels = torch.zeros(1024, device=device, dtype=torch.long)
    return inductor_code(loss, [(logits, labels)], **options)


def symptom(device):
    return compiled(device, compile=cast_outside)


def remedy(device):
    return compiled(device)


def shows(report):
    assert len(report.facts["kernels"]) == 2
    return report.facts["dispatched"] == {"aten::to": 1}
