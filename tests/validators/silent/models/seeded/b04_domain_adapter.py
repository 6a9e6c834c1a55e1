import torch
from torch import nn


class DomainAdapter(nn.Module):
    """Classifier with a domain branch, whose gradient is turned around after the warm-up."""

    def __init__(self, features=10, hidden=16, classes=4, warmup=1):
        super().__init__()
        self.warmup = warmup
        self.stem = nn.Sequential(nn.Linear(features, hidden), nn.LayerNorm(hidden), nn.GELU())
        self.trunk = nn.Linear(hidden, hidden)
        self.bridge = nn.Identity()
        self.label_head = nn.Linear(hidden, classes)
        self.domain_head = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.reversal = None

    @torch.compiler.disable
    def on_step(self, step):
        if step >= self.warmup and self.reversal is None:
            self.reversal = self.bridge.register_full_backward_pre_hook(
                lambda module, grads: (-0.5 * grads[0],)
            )

    def forward(self, x, step):
        self.on_step(step)
        hidden = self.stem(x)
        hidden = hidden + torch.relu(self.trunk(hidden))
        labels = self.label_head(hidden).log_softmax(-1)
        domain = self.domain_head(self.bridge(hidden)).log_softmax(-1)
        return labels, domain


def loss(output):
    labels, domain = output
    return -(labels[:, 0].mean() + domain[:, 1].mean())


def example():
    torch.manual_seed(7)
    model = DomainAdapter()
    x = torch.randn(5, 10)
    return model, [(x, 0), (x, 1), (x, 2)], loss
