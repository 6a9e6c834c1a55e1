"""A variational Gaussian process in training, with its marginal log likelihood, of gpytorch."""

import gpytorch
import torch


class Process(gpytorch.models.ApproximateGP):
    """A process with inducing points that are learned."""

    def __init__(self, inducing_points):
        distribution = gpytorch.variational.CholeskyVariationalDistribution(inducing_points.size(0))
        super().__init__(
            gpytorch.variational.VariationalStrategy(
                self, inducing_points, distribution, learn_inducing_locations=True
            )
        )
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        """The prior at some points."""
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


class Training(torch.nn.Module):
    """The process, its likelihood, and the bound that is maximized."""

    def __init__(self, points):
        super().__init__()
        self.process = Process(torch.linspace(0, 1, 16)[:, None])
        self.likelihood = gpytorch.likelihoods.GaussianLikelihood()
        self.mll = gpytorch.mlls.VariationalELBO(self.likelihood, self.process, num_data=points)

    def forward(self, x, y):
        """The loss of a batch."""
        return -self.mll(self.process(x), y)


def example():
    """Two sizes of the batch, trained on."""
    torch.manual_seed(0)
    calls = []
    for size in (32, 48):
        x = torch.rand(size, 1)
        calls.append((x, torch.sin(6 * x[:, 0]) + 0.1 * torch.randn(size)))
    return Training(points=200), calls, lambda loss: loss
