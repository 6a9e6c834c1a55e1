import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

from validators.probes import observe, training_step

LIMIT = 8  # torch._dynamo.config.recompile_limit
STEPS = LIMIT + 2


def train(device, **options):
    model = nn.Linear(8, 8, bias=False).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=torch.tensor(0.01))
    scheduler = OneCycleLR(optimizer, max_lr=0.1, total_steps=STEPS + 1, **options)
    x = torch.randn(4, 8, device=device)
    step = training_step(model, optimizer, nn.functional.mse_loss, compile_optimizer=True)

    def batches():
        for _ in range(STEPS):
            yield x, x
            scheduler.step()

    return observe(step, batches(), backend="aot_eager")


def symptom(device):
    return train(device)


def remedy(device):
    return train(device, cycle_momentum=False)


def shows(report):
    assert report.exception is None, report.exception
    # The first step compiles the model and the optimizer.
    return report.compiled[:LIMIT] == (2,) + (1,) * (LIMIT - 1)
