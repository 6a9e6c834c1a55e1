import re

import torch
from torch import nn
from torch._dynamo.utils import counters

from validators.probes import captured_facts


class Tagger(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.embed = nn.Embedding(1000, 16, sparse=True)
        self.head = nn.Linear(16, 4)
        self.table = table

    def forward(self, ids_BT):
        return self.head(self.table(self.embed, ids_BT)).relu().sum()


@torch.compiler.disable
def look_up_eagerly(embed, ids_BT):
    return embed(ids_BT)


def train(device, table):
    torch.manual_seed(0)
    model = Tagger(table).to(device)
    ids_BT = torch.arange(32, device=device).view(2, 16)
    expected = model(ids_BT)

    def step():
        loss = torch.compile(model, backend="inductor")(ids_BT)
        loss.backward()
        torch.testing.assert_close(loss, expected)
        return [counters["stats"]["unique_graphs"], str(model.embed.weight.grad.layout)]

    return captured_facts(trained=step)


def symptom(device):
    return train(device, lambda embed, ids_BT: embed(ids_BT))


def remedy(device):
    return train(device, look_up_eagerly)


def shows(report):
    facts = report.facts
    if "trained" in facts:
        assert facts["trained"] == [1, "torch.sparse_coo"], facts
        return False
    assert facts["trained.exception"] == "torch._dynamo.exc.BackendCompilerFailed", facts
    without_text = r"LoweringException: AssertionError: *\n *target: aten\.embedding\.default"
    assert re.search(without_text, facts["trained.message"]), facts
    return True
