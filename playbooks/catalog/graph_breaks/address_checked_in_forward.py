import torch

from validators.probes import observe


def aligned(x):
    return x if x.data_ptr() % 16 == 0 else x.clone()


def aligned_in_eager_mode(x):
    return x if torch.compiler.is_compiling() or x.data_ptr() % 16 == 0 else x.clone()


def normalized_by(prepare):
    def normalized(x, weight):
        x = prepare(x)
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * weight

    return normalized


def rows(prepare, device):
    torch.manual_seed(0)
    inputs = torch.randn(4, 8, device=device), torch.rand(8, device=device)
    return observe(normalized_by(prepare), [inputs] * 2, fullgraph=True, compare=["eager"])


def symptom(device):
    return rows(aligned, device)


def remedy(device):
    return rows(aligned_in_eager_mode, device)


def shows(report):
    if report.exception is not None:
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
