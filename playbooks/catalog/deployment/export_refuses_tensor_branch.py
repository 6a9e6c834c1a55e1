import torch

from validators.probes import captured_facts, observe


class Clipped(torch.nn.Module):
    """Rescales only what is too long, decided by a Python `if` or by the tensor."""

    def __init__(self, branch):
        super().__init__()
        self.branch = branch

    def forward(self, x):
        norm = x.norm()
        if self.branch:
            return x / norm if norm > 1 else x
        return torch.where(norm > 1, x / norm, x)


def compiled_and_exported(device, branch):
    model, x = Clipped(branch), torch.randn(8, device=device)

    def exported():
        program = torch.export.export(model, (x,))
        return torch.equal(program.module()(x), model(x))

    return captured_facts(
        compiled_runs=lambda: observe(model, [(x,)], compare=("eager",)).calls[0].executions,
        exported=exported,
    )


def symptom(device):
    return compiled_and_exported(device, branch=True)


def remedy(device):
    return compiled_and_exported(device, branch=False)


def shows(report):
    if report.facts.get("compiled_runs", 0) > 1:
        return "exported.exception" in report.facts
    return report.facts.get("exported") is not True
