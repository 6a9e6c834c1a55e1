import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


class Masked(nn.Module):
    def forward(self, input_ids, attention_mask):
        return input_ids * attention_mask


def exported(device, length, mask_length):
    def batch(size):
        return torch.ones(2, size, device=device), torch.ones(2, size, device=device)

    def served():
        shapes = {"input_ids": {1: length}, "attention_mask": {1: mask_length}}
        program = export(Masked(), batch(7), dynamic_shapes=shapes).module()
        return [program(*batch(size)).shape[1] for size in (7, 30)]

    return captured_facts(served=served)


def symptom(device):
    return exported(device, Dim("length", max=64), Dim("mask_length", max=64))


def remedy(device):
    length = Dim("length", max=64)
    return exported(device, length, length)


def shows(report):
    facts = report.facts
    if facts.get("served") == [7, 30]:
        return False
    assert "must always be equal" in facts["served.message"], facts
    return True
