import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

from validators.probes import observe, training_step

STEPS = 6


def train(device, **options):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(0.01))
    scheduler = OneCycleLR(optimizer, max_lr=0.1, total_steps=STEPS + 1, **options)
    x = torch.randn(4, 8, device=device)
    step = training_step(model, optimizer, nn.functional.mse_loss, compile_optimizer=True)

    def batches():
        for _ in range(STEPS):
            yield x, x
            scheduler.step()

    return observe(step, batches())


def symptom(device):
    return train(device)


def remedy(device):
    return train(device, cycle_momentum=False)


def shows(report):
    # The first step compiles the model and the optimizer.
    first, second, *others = (call.compiled for call in report.calls)
    assert report.exception is None, report.exception
    blamed = any("['betas'][0] ==" in recompile.reasons[0] for recompile in report.recompiles)
    assert blamed or (first, second, any(others)) == (2, 0, False)
    return blamed and (first, second) == (2, 1) and not any(others)
