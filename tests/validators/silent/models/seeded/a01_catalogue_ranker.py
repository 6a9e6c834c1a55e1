import torch
import torch.nn as nn
import torch.nn.functional as F


class CatalogueRanker(nn.Module):
    """Two-tower ranker that also reports the mass above one or more cut-offs.

    `cutoffs` maps each cut-off to its column in the report of the caller.
    """

    def __init__(self, users=12, items=16, dim=8):
        super().__init__()
        self.user_table = nn.Embedding(users, dim)
        self.item_table = nn.Embedding(items, dim)
        self.user_tower = nn.Sequential(nn.Linear(dim, 16), nn.GELU(), nn.Linear(16, dim))
        self.item_tower = nn.Sequential(nn.Linear(dim, 16), nn.GELU(), nn.Linear(16, dim))
        self.norm = nn.LayerNorm(dim)
        self.log_temperature = nn.Parameter(torch.tensor(0.3))
        self.calibrate = nn.Linear(1, 1)

    def scores(self, users):
        u = F.normalize(self.norm(self.user_tower(self.user_table(users))), dim=-1)
        v = F.normalize(self.norm(self.item_tower(self.item_table.weight)), dim=-1)
        return u @ v.t() * self.log_temperature.exp()

    def depth(self, cutoff, n):
        if isinstance(cutoff, float):
            return max(1, round(cutoff * n))
        return min(cutoff, n)

    def forward(self, users, cutoffs):
        probs = self.scores(users).softmax(-1)
        ranked = probs.sort(dim=-1, descending=True).values
        masses = []
        for cutoff in list(cutoffs):
            k = self.depth(cutoff, probs.shape[-1])
            masses.append(ranked[:, :k].sum(-1))
        total = torch.stack(masses, dim=-1).mean(-1)
        entropy = -(probs * probs.clamp_min(1e-9).log()).sum(-1)
        calibrated = self.calibrate(total.unsqueeze(-1)).squeeze(-1)
        return torch.sigmoid(calibrated) + 0.1 * entropy, total


def example():
    torch.manual_seed(11)
    model = CatalogueRanker().eval()
    users = torch.tensor([1, 4, 7, 9])
    calls = [(users, {1: "head"}), (users, {1.0: "all"})]
    return model, calls
