import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

from validators.probes import observe, training_step


def train(device, keep_tensor):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8)).to(device)
    lr = torch.tensor(0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    x = torch.randn(4, 8, device=device)
    step = training_step(model, optimizer, nn.functional.mse_loss, compile_optimizer=True)

    def batches():
        for loss in (1.0, 0.5, 0.5, 0.4):
            yield x, x
            scheduler.step(loss)
            if keep_tensor:
                for group in optimizer.param_groups:
                    group["lr"] = lr.fill_(group["lr"])
        # A learning rate that was never reduced would leave nothing to recompile for.
        assert abs(float(optimizer.param_groups[0]["lr"]) - 0.05) < 1e-6

    return observe(step, batches())


def symptom(device):
    return train(device, keep_tensor=False)


def remedy(device):
    return train(device, keep_tensor=True)


def shows(report):
    assert report.exception is None, report.exception
    # The first step compiles the model and the optimizer, the third loss is no better.
    return report.compiled == (2, 0, 0, 1)
