import torch
import torch.nn as nn
import torch.nn.functional as F


class GeneAnnotator(nn.Module):
    """Multi-label annotation of short sequences; returns the training loss."""

    def __init__(self, alphabet=5, dim=12, terms=9):
        super().__init__()
        self.embed = nn.Embedding(alphabet, dim)
        self.conv1 = nn.Conv1d(dim, 16, 5, padding=2)
        self.conv2 = nn.Conv1d(16, 16, 3, padding=1)
        self.norm = nn.LayerNorm(16)
        self.attend = nn.Linear(16, 1)
        self.head = nn.Linear(16, terms)

    def encode(self, tokens):
        hidden = self.embed(tokens).transpose(1, 2)
        hidden = F.gelu(self.conv1(hidden))
        hidden = hidden + F.gelu(self.conv2(hidden))
        hidden = self.norm(hidden.transpose(1, 2))
        weight = self.attend(hidden).softmax(1)
        return (weight * hidden).sum(1)

    def forward(self, tokens, terms):
        pooled = self.encode(tokens)
        logits = self.head(torch.tanh(pooled))
        ranking = F.multilabel_margin_loss(logits, terms)
        decay = logits.square().mean()
        return ranking + 0.01 * decay


def example():
    torch.manual_seed(17)
    model = GeneAnnotator()
    tokens = torch.randint(0, 5, (4, 20))
    terms = torch.full((4, 9), -1)
    terms[0, :2] = torch.tensor([0, 3])
    terms[1, :1] = torch.tensor([5])
    terms[2, :3] = torch.tensor([8, 1, 2])
    terms[3, :2] = torch.tensor([4, 7])
    return model, [(tokens, terms)], lambda output: output
