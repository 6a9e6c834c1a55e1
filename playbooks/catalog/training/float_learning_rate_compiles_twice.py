import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR

from validators.probes import observe, training_step

STEPS = 6


def train(device, lr):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = LinearLR(optimizer, total_iters=STEPS)
    x = torch.randn(4, 8, device=device)
    step = training_step(model, optimizer, nn.functional.mse_loss, compile_optimizer=True)

    def batches():
        for _ in range(STEPS):
            yield x, x
            scheduler.step()

    return observe(step, batches())


def symptom(device):
    return train(device, lr=0.1)


def remedy(device):
    return train(device, lr=torch.tensor(0.1))


def shows(report):
    # The first step compiles the model and the optimizer, the second one the optimizer again. Where
    # floats stay constants of the graph, up to torch 2.5, all later steps compile, too.
    later = set(report.compiled[2:])
    return report.compiled[:2] == (2, 1) and later in ({0}, {1})
