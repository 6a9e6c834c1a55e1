import torch

from validators.probes import inductor_code


def rotate_complex(x_BTHD, angles_TF):
    rotation_TF = torch.polar(torch.ones_like(angles_TF), angles_TF)
    pairs_BTHF2 = x_BTHD.unflatten(-1, (-1, 2))
    rotated_BTHF = torch.view_as_complex(pairs_BTHF2) * rotation_TF[:, None]
    return torch.view_as_real(rotated_BTHF).flatten(-2)


def rotate_real(x_BTHD, angles_TF):
    cos_T1F, sin_T1F = angles_TF.cos()[:, None], angles_TF.sin()[:, None]
    a_BTHF, b_BTHF = x_BTHD.unflatten(-1, (-1, 2)).unbind(-1)
    real_BTHF = a_BTHF * cos_T1F - b_BTHF * sin_T1F
    imaginary_BTHF = a_BTHF * sin_T1F + b_BTHF * cos_T1F
    return torch.stack((real_BTHF, imaginary_BTHF), dim=-1).flatten(-2)


@torch.no_grad()
def code_of(rotate, device):
    torch.manual_seed(0)
    x_BTHD = torch.randn(2, 16, 4, 32, device=device)
    angles_TF = torch.randn(16, 16, device=device)
    reference = rotate_complex(x_BTHD, angles_TF)
    torch.testing.assert_close(rotate(x_BTHD, angles_TF), reference)
    return inductor_code(rotate, [(x_BTHD, angles_TF)], compare=["eager"])


def symptom(device):
    return code_of(rotate_complex, device)


def remedy(device):
    return code_of(rotate_real, device)


def shows(report):
    assert report.calls[0].difference.eager < 1e-5
    externs, kernels = report.facts["externs"], report.facts["kernels"]
    # Releases differ in how generated code names an op of PyTorch's that it calls, if it does.
    called = {name.partition("::")[2] for name in report.facts["dispatched"]}
    left = {"polar", "mul"} & called
    if not left:
        return bool(externs) or len(kernels) != 1
    return len(left) == 2 and len(kernels) == 1
