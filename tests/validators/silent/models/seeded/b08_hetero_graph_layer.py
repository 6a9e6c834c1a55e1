import torch
from torch import nn


class NodeType:
    def __init__(self, name):
        self.name = name


class Relation:
    def __init__(self, source, target):
        self.source = source
        self.target = target


class HeteroLayer(nn.Module):
    """Message passing along one relation; nodes of one kind get self loops."""

    def __init__(self, width=8):
        super().__init__()
        self.message = nn.Linear(width, width)
        self.update = nn.Linear(2 * width, width)
        self.loop = nn.Linear(width, width, bias=False)
        self.norm = nn.LayerNorm(width)
        self.readout = nn.Linear(width, 2)

    def forward(self, source, target, edges, relation):
        sent = torch.relu(self.message(source))[edges[0]]
        total = torch.zeros_like(target).index_add(0, edges[1], sent)
        degree = torch.bincount(edges[1], minlength=target.shape[0]).clamp_min(1)
        mean = total / degree[:, None]
        if relation.source is relation.target:
            mean = mean + self.loop(target)
        hidden = self.update(torch.cat([target, mean], dim=-1))
        hidden = self.norm(target + torch.nn.functional.silu(hidden))
        return self.readout(hidden).log_softmax(-1)


def example():
    torch.manual_seed(2)
    model = HeteroLayer().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    user, item = NodeType("user"), NodeType("item")
    nodes, others = torch.randn(7, 8), torch.randn(7, 8)
    edges = torch.randint(0, 7, (2, 15))
    return model, [
        (nodes, nodes, edges, Relation(user, user)),
        (others, nodes, edges, Relation(item, user)),
        (others, others, edges, Relation(item, item)),
    ]
