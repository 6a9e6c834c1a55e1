"""A graph classifier with TopKPooling, of torch_geometric."""

import torch
from torch_geometric.nn import GCNConv, TopKPooling, global_mean_pool


class Net(torch.nn.Module):
    """Two convolutions, each followed by a pooling that keeps a part of the nodes."""

    def __init__(self):
        super().__init__()
        self.conv1 = GCNConv(16, 32)
        self.pool1 = TopKPooling(32, ratio=0.8)
        self.conv2 = GCNConv(32, 32)
        self.pool2 = TopKPooling(32, ratio=0.8)
        self.head = torch.nn.Linear(64, 4)

    def forward(self, x, edge_index, batch):
        """The logits of each graph."""
        x = self.conv1(x, edge_index).relu()
        x, edge_index, _, batch, _, _ = self.pool1(x, edge_index, None, batch)
        first = global_mean_pool(x, batch)
        x = self.conv2(x, edge_index).relu()
        x, edge_index, _, batch, _, _ = self.pool2(x, edge_index, None, batch)
        return self.head(torch.cat([first, global_mean_pool(x, batch)], dim=1))


def example():
    """Two numbers of nodes, in two graphs each."""
    torch.manual_seed(0)
    calls = [
        (
            torch.randn(2 * nodes, 16),
            torch.cat([torch.randint(0, nodes, (2, 30)) + nodes * i for i in (0, 1)], dim=1),
            torch.tensor([0, 1]).repeat_interleave(nodes),
        )
        for nodes in (10, 14)
    ]
    return Net(), calls


class Checked(Net):
    """The net that says of the nodes that a pooling keeps that there are some."""

    def forward(self, x, edge_index, batch):
        """The logits of each graph."""
        x = self.conv1(x, edge_index).relu()
        x, edge_index, _, batch, _, _ = self.pool1(x, edge_index, None, batch)
        torch._check(batch.shape[0] > 0)
        first = global_mean_pool(x, batch)
        x = self.conv2(x, edge_index).relu()
        x, edge_index, _, batch, _, _ = self.pool2(x, edge_index, None, batch)
        torch._check(batch.shape[0] > 0)
        return self.head(torch.cat([first, global_mean_pool(x, batch)], dim=1))


def fixed():
    """The net with numbers and sizes that come from data captured as symbols."""
    torch._dynamo.config.capture_scalar_outputs = True
    torch._dynamo.config.capture_dynamic_output_shape_ops = True
    model, calls = example()
    model.__class__ = Checked
    return model, calls
