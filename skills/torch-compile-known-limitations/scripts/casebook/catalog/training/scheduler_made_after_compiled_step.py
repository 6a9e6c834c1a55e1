import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR

from validators.probes import observe

STEPS = 3


def recipe(device, scheduler_first):
    """A trainer that compiles the optimizer's step where it made the optimizer, or later."""

    def train():
        model = nn.Linear(8, 8, device=device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(0.1))
        if scheduler_first:
            scheduler = StepLR(optimizer, step_size=1)
        optimizer.step = torch.compile(optimizer.step, backend="eager")
        if not scheduler_first:
            scheduler = StepLR(optimizer, step_size=1)
        for _ in range(STEPS):
            optimizer.zero_grad()
            model(torch.ones(4, 8, device=device)).square().mean().backward()
            optimizer.step()
            scheduler.step()
        return model.weight, optimizer.param_groups[0]["lr"]

    # What is compiled is the step within, as in the trainer.
    return observe(train, [()], compile=lambda function: function, compare=["eager"])


def symptom(device):
    return recipe(device, scheduler_first=False)


def remedy(device):
    return recipe(device, scheduler_first=True)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert caught.message == "'function' object has no attribute '__func__'", caught
        assert caught.type == "AttributeError" and not report.graphs, (caught, report.graphs)
        return True
    assert report.calls[0].difference.eager < 1e-5, report.calls
    assert [graph.executions for graph in report.graphs] == [STEPS], report.graphs
    return False
