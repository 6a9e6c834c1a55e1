import torch

from validators.probes import observe


def head(x_BC, mask_B=None):
    y_BC = x_BC.relu()
    if mask_B is None and not torch.compiler.is_compiling():
        mask_B = torch.ones(x_BC.shape[0], device=x_BC.device)
    return y_BC * mask_B[:, None]


def run(device, mask, **options):
    x_BC = torch.ones(3, 2, device=device)
    return observe(head, [(x_BC, *mask)] * 2, compare=["eager"], **options)


def symptom(device):
    return run(device, (), eager=True)


def remedy(device):
    return run(device, (torch.ones(3, device=device),))


def shows(report):
    assert report.exception is None, report.exception
    assert not any(call.difference.eager for call in report.calls), report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1 and not report.eager_calls, report
        return False
    return all(b.skipped_frame for b in report.graph_breaks) and not report.graphs
