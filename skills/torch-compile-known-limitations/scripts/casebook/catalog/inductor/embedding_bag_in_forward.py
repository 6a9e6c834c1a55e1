import torch
from torch.nn.functional import embedding, embedding_bag

from validators.probes import inductor_code


def by_bag(ids, table):
    return embedding_bag(ids, table, mode="sum") + 1


def by_sum(ids, table):
    return embedding(ids, table).sum(1) + 1


@torch.no_grad()
def compiled(device, look_up):
    ids = torch.zeros(64, 8, device=device, dtype=torch.long)
    return inductor_code(look_up, [(ids, torch.randn(1000, 64, device=device))])


def symptom(device):
    return compiled(device, by_bag)


def remedy(device):
    return compiled(device, by_sum)


def shows(report):
    kernels, externs = report.facts["kernels"], report.facts["externs"]
    return len(kernels) == 2 and len(externs) == 1 and "_embedding_bag" in externs[0]
