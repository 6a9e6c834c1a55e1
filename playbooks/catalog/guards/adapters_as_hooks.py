import torch
from torch import nn

from validators.probes import observe

RANK, REQUESTS = 2, (None, "oil", "photo", None)


class Hooked(nn.Module):
    """Each request registers its adapter as a hook, and removes it afterwards."""

    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 8), nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.body(x).relu())


class Slotted(Hooked):
    """An adapter's slot; zeros stand for no adapter."""

    def __init__(self):
        super().__init__()
        self.register_buffer("down", torch.zeros(8, RANK))
        self.register_buffer("up", torch.zeros(RANK, 8))

    def forward(self, x):
        return self.head((self.body(x) + x @ self.down @ self.up).relu())


def by_hook(model, x, adapter):
    if adapter is None:
        return None
    down, up = adapter
    return model.body.register_forward_hook(lambda layer, args, out: out + args[0] @ down @ up)


def by_copy(model, x, adapter):
    down, up = adapter or (torch.zeros_like(model.down), torch.zeros_like(model.up))
    model.down.copy_(down)
    model.up.copy_(up)


def serve(device, model, switch):
    torch.manual_seed(0)
    model, x = model.to(device), torch.randn(3, 8, device=device)
    adapters = {
        name: (torch.randn(8, RANK, device=device), torch.randn(RANK, 8, device=device))
        for name in ("oil", "photo")
    }
    compiled = torch.compile(model, backend="eager", fullgraph=True)

    def calls():
        for name in REQUESTS:
            handle = switch(model, x, adapters.get(name))
            yield (x,)
            if handle is not None:
                handle.remove()

    return observe(
        lambda x: model(x), calls(), compile=lambda _: lambda x: compiled(x), compare=("eager",)
    )


def symptom(device):
    return serve(device, Hooked(), by_hook)


def remedy(device):
    return serve(device, Slotted(), by_copy)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report
    wrong = [call.difference.eager > 0.01 for call in report.calls]
    assert wrong in ([False] * 4, [False, True, True, False]), wrong
    return any(wrong)
