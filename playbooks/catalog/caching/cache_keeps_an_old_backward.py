import torch

from validators.probes import captured_facts

factor = 1.0
"""What the ops' backward multiplies by: 1 before it is corrected, 2 after."""


def op(name):
    @torch.library.custom_op(f"casebook_cache::{name}", mutates_args=())
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    double.register_fake(torch.empty_like)
    double.register_autograd(lambda ctx, gradient: gradient * factor)
    return double


first, renamed = op("double"), op("double_2")


def gradient(function, device):
    x = torch.ones(4, device=device, requires_grad=True)
    function(x).sum().backward()
    return x.grad[0].item()


def corrected(device, second):
    """The gradients of `first` and, after its backward is corrected, of `second`."""

    def gradients():
        global factor
        factor = 1.0
        before = gradient(torch.compile(lambda x: first(x).sin()), device)
        # From here on as in a new process: nothing is left of the first run but its cache on disk.
        torch._dynamo.reset()
        factor = 2.0
        compiled = gradient(torch.compile(lambda x: second(x).sin()), device)
        return [before, compiled, gradient(lambda x: second(x).sin(), device)]

    return captured_facts(gradients=gradients)


def symptom(device):
    return corrected(device, first)


def remedy(device):
    return corrected(device, renamed)


def shows(report):
    before, compiled, eager = report.facts["gradients"]
    assert abs(eager - 2 * before) < 1e-5, report.facts
    stale = abs(compiled - before) < 1e-5
    assert stale or abs(compiled - eager) < 1e-5, report.facts
    return stale
