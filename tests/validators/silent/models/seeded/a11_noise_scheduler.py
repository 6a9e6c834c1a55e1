from collections import ChainMap

import torch
import torch.nn as nn

run_options = {}
defaults = {"shift": 1.0, "steps": 10, "floor": 0.05}
options = ChainMap(run_options, defaults)


@torch.compiler.disable
def set_run_options(given):
    run_options.clear()
    run_options.update(given)


class NoiseScheduler(nn.Module):
    """Predicts noise at a time step, and steps the sample to the next one."""

    def __init__(self, dim=8, hidden=24):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(6, hidden), nn.SiLU(), nn.Linear(hidden, hidden))
        self.inner = nn.Linear(dim, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.outer = nn.Linear(hidden, dim)
        self.register_buffer("freq", torch.exp(torch.linspace(0, 4, 3)))

    def embed(self, t):
        angle = t[:, None] * self.freq
        return self.time(torch.cat([angle.sin(), angle.cos()], dim=-1))

    def alpha_bar(self, t):
        shift = options["shift"]
        warped = shift * t / (1 + (shift - 1) * t)
        curve = torch.cos(warped * torch.pi / 2).square()
        return curve.clamp(min=options["floor"], max=0.999)

    def forward(self, sample, t, given):
        set_run_options(given)
        now = self.alpha_bar(t)[:, None]
        then = self.alpha_bar((t - 1 / options["steps"]).clamp_min(0))[:, None]
        hidden = self.norm(self.inner(sample) + self.embed(t))
        noise = self.outer(torch.nn.functional.silu(hidden))
        clean = (sample - (1 - now).sqrt() * noise) / now.sqrt()
        return then.sqrt() * clean.clamp(-3, 3) + (1 - then).sqrt() * noise


def example():
    torch.manual_seed(47)
    model = NoiseScheduler().eval().requires_grad_(False)
    sample, t = torch.randn(4, 8), torch.tensor([0.2, 0.4, 0.6, 0.8])
    return model, [(sample, t, {}), (sample, t, {"shift": 3.0})]
