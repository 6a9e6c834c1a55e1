import torch

from validators.probes import inductor_code


def assigned(x):
    half = x.shape[-1] // 2
    out = torch.empty_like(x)
    out[..., :half] = x[..., :half].sin()
    out[..., half:] = x[..., half:].cos()
    return out + 1


def joined(x):
    half = x.shape[-1] // 2
    return torch.cat([x[..., :half].sin(), x[..., half:].cos()], dim=-1) + 1


@torch.no_grad()
def compiled(device, encode):
    return inductor_code(encode, [(torch.randn(64, 1024, device=device),)])


def symptom(device):
    return compiled(device, assigned)


def remedy(device):
    return compiled(device, joined)


def shows(report):
    assert not report.facts["externs"]
    return len(report.facts["kernels"]) == 3
