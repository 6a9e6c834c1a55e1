import torch

from validators.probes import observe


def hermitian_part(z_BNN):
    return (z_BNN + z_BNN.mH) / 2


def hermitian_part_in_real_numbers(z_BNN):
    real_BNN = z_BNN.real + z_BNN.real.mT
    imag_BNN = z_BNN.imag - z_BNN.imag.mT
    return torch.complex(real_BNN, imag_BNN) / 2


def run(forward, device):
    torch.manual_seed(0)
    z_BNN = torch.randn(2, 4, 4, dtype=torch.complex64, device=device, requires_grad=True)

    def power(z_BNN):
        return torch.view_as_real(forward(z_BNN)).square().sum()

    def compiled(_):
        return torch.compile(power, backend="inductor")

    return observe(power, [(z_BNN,)], compile=compiled, compare=("eager", "gradients"))


def symptom(device):
    return run(hermitian_part, device)


def remedy(device):
    return run(hermitian_part_in_real_numbers, device)


def shows(report):
    if report.exception is not None:
        return True
    difference = report.calls[0].difference
    assert max(difference.eager, difference.gradients_eager) < 1e-4, report.calls
    assert report.calls[0].executions == 1, report.calls
    return False
