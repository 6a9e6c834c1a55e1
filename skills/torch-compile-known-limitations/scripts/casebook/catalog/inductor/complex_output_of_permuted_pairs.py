import torch

from validators.probes import observe


def spectrum(x_NFP):
    """Pairs of real and imaginary part, computed by rows and returned by frequency."""
    return torch.view_as_complex((x_NFP * 2 + 1).transpose(0, 1))


def contiguous_spectrum(x_NFP):
    return torch.view_as_complex((x_NFP * 2 + 1).transpose(0, 1).contiguous())


@torch.no_grad()
def run(device, function):
    torch.manual_seed(0)
    x_NFP = torch.randn(4, 6, 2, device=device)
    torch.testing.assert_close(function(x_NFP), spectrum(x_NFP))
    return observe(function, [(x_NFP,)], backend="inductor", compare=["eager"])


def symptom(device):
    return run(device, spectrum)


def remedy(device):
    return run(device, contiguous_spectrum)


def shows(report):
    caught = report.exception
    if caught is not None:
        assert "KeyError: 'complex64'" in caught.message, caught.message
        return True
    return report.calls[0].difference.eager > 1e-5
