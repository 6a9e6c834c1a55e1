import torch
import torch.nn as nn


class PriorDecoder(nn.Module):
    """Decodes one token per sample; a sample's last token may not be repeated."""

    def __init__(self, vocabulary=12, dim=10):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, vocabulary)
        self.prior = nn.Parameter(torch.randn(vocabulary))
        self.temperature = nn.Parameter(torch.tensor(0.8))

    def allowed(self, last):
        batch = last.shape[0]
        prior = torch.log_softmax(self.prior / self.temperature, dim=-1)
        rows = torch.arange(batch)
        blocked = torch.full((batch,), -20.0)
        return prior.expand(batch, -1).index_put((rows, last), blocked)

    def forward(self, last, state):
        state = self.cell(torch.tanh(self.table(last)), state)
        logits = self.out(self.norm(state))
        logits = logits + self.allowed(last)
        probs = logits.softmax(-1)
        best = probs.max(dim=-1)
        entropy = -(probs * probs.clamp_min(1e-12).log()).sum(-1)
        return probs, best.values, entropy, state


def example():
    torch.manual_seed(79)
    model = PriorDecoder().eval().requires_grad_(False)
    return model, [(torch.tensor([2, 5, 9]), torch.randn(3, 10))]
