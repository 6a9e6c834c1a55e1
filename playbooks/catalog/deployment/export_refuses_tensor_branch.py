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
    model, x = Clipped(branch), torch.ones(8, device=device)

    def exported():
        program = torch.export.export(model, (x,)).module()
        # One input is too long, the other is not.
        return all(torch.equal(program(given), model(given)) for given in (x, x / 8))

    return captured_facts(
        compiled_runs=lambda: observe(model, [(x,)], compare=("eager",)).calls[0].executions,
        exported=exported,
    )


def symptom(device):
    return compiled_and_exported(device, branch=True)


def remedy(device):
    return compiled_and_exported(device, branch=False)


def shows(report):
    facts = report.facts
    if facts["compiled_runs"] == 1:
        assert facts["exported"] is True, facts
        return False
    return "if norm > 1" in facts["exported.message"]
