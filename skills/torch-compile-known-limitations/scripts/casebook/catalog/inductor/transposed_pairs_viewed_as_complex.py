import torch

from validators.probes import inductor_code


def spectrum(x_NFP):
    """Pairs of real and imaginary part, computed by rows and returned by frequency."""
    return torch.view_as_complex((x_NFP * 2 + 1).transpose(0, 1))


def contiguous_spectrum(x_NFP):
    return torch.view_as_complex((x_NFP * 2 + 1).transpose(0, 1).contiguous())


@torch.no_grad()
def compiled(device, function):
    return inductor_code(function, [(torch.randn(4, 6, 2, device=device),)])


def symptom(device):
    return compiled(device, spectrum)


def remedy(device):
    return compiled(device, contiguous_spectrum)


def shows(report):
    """Whether the complex result is copied: by a library, or by a second kernel."""
    assert report.exception is None, report.exception
    return report.facts["dispatched"].get("aten::copy_", 0) + len(report.facts["kernels"]) > 1
