import torch

CLAIM = (
    "A module that counts its calls in an int is compiled again at every call,"
    " up to the recompile limit; with the count in a buffer it is compiled once."
)


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return self.layer(x) * self.steps


def before():
    head = torch.compile(Head(), backend="eager")
    return {"slow": True, "outputs": [head(torch.ones(2, 4)).tolist()]}


def after():
    head = torch.compile(Head(), backend="eager")
    return {"slow": False, "outputs": [head(torch.ones(2, 4)).tolist()]}


def shows(report):
    return report["slow"]
