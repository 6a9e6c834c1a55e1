import torch

from validators.probes import inductor_code


def quantize(x, **over):
    scale = 448 / x.abs().amax(**over).float()
    return (x * scale).to(torch.float8_e4m3fn), scale


@torch.no_grad()
def compiled(device, **over):
    def cast(x):
        return quantize(x, **over)

    return inductor_code(cast, [(torch.randn(1024, 4096, device=device).bfloat16(),)])


def symptom(device):
    return compiled(device)


def remedy(device):
    return compiled(device, dim=-1, keepdim=True)


def shows(report):
    return len(report.facts["kernels"]) == 3
