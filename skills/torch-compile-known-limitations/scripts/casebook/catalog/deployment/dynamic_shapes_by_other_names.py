import torch
from torch import nn
from torch.export import Dim, export

from validators.probes import captured_facts


class Masked(nn.Module):
    def forward(self, input_ids, attention_mask):
        return input_ids * attention_mask


def exported(device, names):
    tokens, more = torch.ones(2, 7, device=device), torch.ones(9, 7, device=device)
    batch = Dim("batch", max=64)

    def served():
        shapes = {name: {0: batch} for name in names}
        program = export(Masked(), (tokens, tokens), dynamic_shapes=shapes).module()
        return [len(program(tokens, tokens)), len(program(more, more))]

    return captured_facts(served=served)


def symptom(device):
    return exported(device, ["input", "mask"])  # names that the graph's inputs are to have


def remedy(device):
    return exported(device, ["input_ids", "attention_mask"])


def shows(report):
    facts = report.facts
    if facts.get("served") == [2, 9]:
        return False
    assert "its top-level keys must be the arg names" in facts["served.message"], facts
    return True
