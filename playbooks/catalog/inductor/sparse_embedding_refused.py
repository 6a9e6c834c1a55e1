import torch
from torch import nn

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
        return str(model.embed.weight.grad.layout)

    return captured_facts(gradient=step)


def symptom(device):
    return train(device, lambda embed, ids_BT: embed(ids_BT))


def remedy(device):
    return train(device, look_up_eagerly)


def shows(report):
    facts = report.facts
    if "gradient" in facts:
        return facts["gradient"] != "torch.sparse_coo"
    refused = facts["gradient.exception"] == "torch._dynamo.exc.BackendCompilerFailed"
    message = facts["gradient.message"]
    return refused and "AssertionError" in message and "aten.embedding.default" in message
