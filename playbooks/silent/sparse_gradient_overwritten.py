"""The values of an embedding's sparse gradient share memory with another gradient, and are lost.

cause: code generation
avoid: Do the lookup in a function decorated with `torch.compiler.disable`.
"""

import torch


class call(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(1000, 64, sparse=True)
        layers = torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 1)
        self.layers = torch.nn.Sequential(*layers)

    def looked_up(self, words):
        return self.table(words)

    def forward(self, words):
        return self.layers(self.looked_up(words).mean(1))


class instead(call):
    looked_up = torch.compiler.disable(call.looked_up)


def inputs():
    return (torch.arange(128).view(16, 8),)
