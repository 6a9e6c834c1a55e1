import torch

from validators.probes import observe


def attend(x_BT, mask_BT=None):
    scores_BT = x_BT * 2
    if mask_BT is not None:
        scores_BT = scores_BT.masked_fill(~mask_BT, float("-inf"))
    return scores_BT.softmax(-1)


def calls(device, default):
    """Without padding, with padding, and again."""
    torch.manual_seed(0)
    for padded in (False, True, False, True):
        x_BT = torch.randn(2, 6, device=device)
        mask_BT = torch.ones(2, 6, dtype=torch.bool, device=device)
        mask_BT[0, 4:] = False
        yield (x_BT, mask_BT if padded else default(x_BT))


def attended(device, default):
    return observe(attend, calls(device, default), compare=["eager"])


def symptom(device):
    return attended(device, lambda x_BT: None)


def remedy(device):
    return attended(device, lambda x_BT: torch.ones_like(x_BT, dtype=torch.bool))


def shows(report):
    assert report.exception is None, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report.calls
    # One graph for None and one for a tensor, or one for all calls.
    assert report.compiled in ((1, 1, 0, 0), (1, 0, 0, 0)), report.compiled
    return report.compiled[1] == 1
