import torch
import torch.nn as nn


class DocumentPooling(nn.Module):
    """Pools token vectors by sentence; weighs sentences by their annotations."""

    def __init__(self, vocabulary=30, dim=12):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, dim)
        self.mix = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.score = nn.Linear(dim, 1)
        self.head = nn.Linear(dim, 3)

    def grade(self, names, numbers):
        has_name = torch.any(names, -1)
        has_number = torch.any(numbers, -1)
        return has_name + has_number

    def forward(self, tokens, names, numbers):
        x = self.embed(tokens)
        x = x + torch.tanh(self.mix(x))
        sentence = self.norm(x.mean(2))
        grade = self.grade(names, numbers)
        bias = self.score(sentence).squeeze(-1) + 1.5 * grade
        weight = bias.softmax(-1)
        document = (weight.unsqueeze(-1) * sentence).sum(1)
        return self.head(torch.relu(document)).log_softmax(-1), weight, grade


def example():
    torch.manual_seed(83)
    model = DocumentPooling().eval().requires_grad_(False)
    tokens = torch.randint(0, 30, (2, 4, 6))
    names = (torch.rand(2, 4, 6) > 0.8).to(torch.uint8)
    numbers = (torch.rand(2, 4, 6) > 0.8).to(torch.uint8)
    names[0, 1, 2] = numbers[0, 1, 3] = 1
    return model, [(tokens, names, numbers)]
