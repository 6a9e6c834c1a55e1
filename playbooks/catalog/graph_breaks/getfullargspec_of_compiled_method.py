import inspect

import torch

from validators.probes import observe


class Trainer(torch.nn.Module):
    """As a framework does it: the step is compiled, and logging asks what arguments it takes."""

    def __init__(self, ask_while_traced):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.takes_batch_index = self.takes("batch_index", self.step)
        self.ask_while_traced = ask_while_traced

    def takes(self, name, method):
        return name in inspect.getfullargspec(method).args

    def step(self, x):
        if self.ask_while_traced:
            original = self.step.__wrapped__
            extra = self.takes("batch_index", original)
        else:
            extra = self.takes_batch_index
        return self.layer(x) + int(extra)


def compile_step(model):
    model.step = torch.compile(model.step, backend="eager")
    return lambda x: model.step(x)


def train(device, ask):
    x = torch.ones(2, 4, device=device)
    return observe(Trainer(ask).to(device), [(x,)], compile=compile_step, eager=ask)


def symptom(device):
    return train(device, ask=True)


def remedy(device):
    return train(device, ask=False)


def shows(report):
    caught = report.exception
    return caught is not None and caught.type.endswith("InternalTorchDynamoError")
