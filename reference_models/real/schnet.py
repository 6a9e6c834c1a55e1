"""SchNet in training, a network for molecules, of torch-geometric."""

import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn import SchNet


def atoms_within(pos, batch):
    """The pairs of atoms of a molecule that are close, and their distances; without pyg-lib."""
    distance = torch.cdist(pos, pos)
    close = (distance < 4.0) & (batch[:, None] == batch[None, :])
    edge_index = (close & ~torch.eye(len(pos), dtype=torch.bool)).nonzero().t()
    return edge_index, (pos[edge_index[0]] - pos[edge_index[1]]).norm(dim=-1)


def molecules(count):
    """A batch of molecules of different numbers of atoms."""
    return Batch.from_data_list(
        [
            Data(z=torch.randint(1, 10, (atoms,)), pos=2 * torch.randn(atoms, 3))
            for atoms in range(7, 7 + count)
        ]
    )


def example():
    """Two batches, of three and of four molecules, trained on."""
    torch.manual_seed(0)
    model = SchNet(
        hidden_channels=32,
        num_filters=32,
        num_interactions=3,
        num_gaussians=16,
        cutoff=4.0,
        interaction_graph=atoms_within,
    )
    batches = [molecules(3), molecules(4)]
    calls = [(batch.z, batch.pos, batch.batch) for batch in batches]
    return model, calls, lambda energy: energy.square().mean()


def fixed():
    """The pairs and the number of molecules are captured as sizes that come from data."""
    torch._dynamo.config.capture_scalar_outputs = True
    torch._dynamo.config.capture_dynamic_output_shape_ops = True
    return example()
