import torch
from torch import nn


class RatingRecommender(nn.Module):
    """Scores items for each user; rows with a missing rating are reported and counted."""

    def __init__(self, items=9, width=8):
        super().__init__()
        self.items = nn.Parameter(torch.randn(items, width) / 3)
        self.user = nn.Linear(items, width)
        self.bias = nn.Parameter(torch.randn(items))
        self.mix = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ratings):
        centred = ratings - ratings.nanmean(dim=-1, keepdim=True)
        base = centred * 0 + self.bias
        known = torch.where(centred.isnan(), 0.0, centred)
        user = torch.tanh(self.user(known))
        user = self.norm(user + torch.relu(self.mix(user)))
        scores = base + user @ self.items.t()
        missing = scores.isnan()
        filled = scores.masked_fill(missing, -20.0).softmax(dim=-1)
        return filled, missing.sum(dim=-1), scores.nanmean(dim=-1)


def example():
    torch.manual_seed(71)
    model = RatingRecommender().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    ratings = torch.randint(1, 6, (4, 9)).float()
    ratings[0, 3] = ratings[2, 7] = ratings[2, 1] = float("nan")
    return model, [(ratings,)]
