import torch

from validators.probes import observe


class Adapted(torch.nn.Module):
    """A frozen table and a trained adapter, as fine-tuning leaves them."""

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(16, 8)
        self.table.weight.requires_grad_(False)
        self.adapter = torch.nn.Linear(8, 8)

    def forward(self, ids):
        return (self.table(ids) + self.adapter(self.table(ids))).square().mean()


def make_inputs_require_grad(module, args, output):
    output.requires_grad_(True)


def loss(device, hook):
    torch.manual_seed(0)
    model = Adapted().to(device)
    if hook is not None:
        model.table.register_forward_hook(hook)
    return observe(
        model,
        [(torch.arange(4, device=device),)] * 2,
        backend="aot_eager",
        fullgraph=True,
        compare=["eager", "gradients"],
    )


def symptom(device):
    return loss(device, hook=make_inputs_require_grad)


def remedy(device):
    return loss(device, hook=None)


def shows(report):
    if report.exception is not None:
        assert not report.graphs, report.graphs
        return True
    far = [d for it in report.calls for d in (it.difference.eager, it.difference.gradients_eager)]
    assert len(report.graphs) == 1 and len(far) == 4 and max(far) < 1e-6, report
    return False
