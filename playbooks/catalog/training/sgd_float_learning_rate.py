import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR

from validators.probes import observe, training_step

STEPS = 10


def train(device, lr, eager):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    scheduler = LinearLR(optimizer, total_iters=STEPS)
    x = torch.randn(4, 8, device=device)
    step = training_step(model, optimizer, nn.functional.mse_loss, compile_optimizer=True)

    def batches():
        for _ in range(STEPS):
            yield x, x
            scheduler.step()

    return observe(step, batches(), backend="aot_eager", eager=eager)


def symptom(device):
    return train(device, lr=0.1, eager=True)


def remedy(device):
    return train(device, lr=torch.tensor(0.1), eager=False)


def shows(report):
    assert report.exception is None, report.exception
    first, *others = (call.compiled for call in report.calls)
    # The first step compiles the model and the optimizer.
    assert first == 2, first
    return others[:7] == [1] * 7
