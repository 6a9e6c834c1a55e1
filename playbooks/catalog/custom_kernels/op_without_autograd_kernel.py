import torch

from validators.probes import observe

library = torch.library.Library("casebook_scaling", "DEF")
for name in ("plain", "trained"):
    library.define(f"{name}(Tensor x, float by) -> Tensor")
    library.impl(name, lambda x, by: x * by, "CPU")
    library.impl(name, lambda x, by: x * by, "CUDA")
    torch.library.register_fake(f"casebook_scaling::{name}", lambda x, by: torch.empty_like(x))


def keep_factor(ctx, inputs, output):
    ctx.by = inputs[1]


torch.library.register_autograd(
    "casebook_scaling::trained",
    lambda ctx, grad: (grad * ctx.by, None),
    setup_context=keep_factor,
)


class Scaled(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        self.bias = torch.nn.Parameter(torch.ones(4))
        self.op = getattr(torch.ops.casebook_scaling, name)

    def forward(self, x):
        return self.op(x * self.weight, 2.0) + self.bias


def train(device, name):
    return observe(
        Scaled(name).to(device),
        [(torch.ones(4, device=device),)],
        backend="aot_eager",
        compare=["eager", "gradients"],
    )


def symptom(device):
    return train(device, "plain")


def remedy(device):
    return train(device, "trained")


def shows(report):
    assert report.calls[0].difference.eager == 0 or report.exception, report
    if report.exception is not None:
        return False
    return report.calls[0].difference.gradients_eager > 1
