"""A network of tensor products that is equivariant under rotation, of e3nn."""

import torch
from e3nn import o3
from e3nn.nn import Gate


class Net(torch.nn.Module):
    """One tensor product with spherical harmonics, a gate, and a linear head."""

    def __init__(self):
        super().__init__()
        self.harmonics = o3.Irreps.spherical_harmonics(2)
        self.gate = Gate("8x0e", [torch.tanh], "4x0e", [torch.sigmoid], "4x1o")
        self.product = o3.FullyConnectedTensorProduct("8x0e", self.harmonics, self.gate.irreps_in)
        self.head = o3.Linear(self.gate.irreps_out, "1x0e + 1x1o")

    def forward(self, features, positions):
        """A scalar and a vector for each point."""
        directions = o3.spherical_harmonics(self.harmonics, positions, normalize=True)
        return self.head(self.gate(self.product(features, directions)))


def example():
    """Two numbers of points."""
    torch.manual_seed(0)
    return Net(), [(torch.randn(n, 8), torch.randn(n, 3)) for n in (12, 20)]


class WithModule(Net):
    """The network with the spherical harmonics as a module, which e3nn makes in each call else."""

    def __init__(self):
        super().__init__()
        self.directions = o3.SphericalHarmonics(self.harmonics, normalize=True)

    def forward(self, features, positions):
        """A scalar and a vector for each point."""
        return self.head(self.gate(self.product(features, self.directions(positions))))


def fixed():
    """The network with the spherical harmonics as a module."""
    return WithModule(), example()[1]
