import torch

from validators.probes import observe


def embed_by_check(ids_BT, table_VC):
    torch._check_tensor_all(ids_BT < table_VC.shape[0])
    return table_VC[ids_BT]


def embed_by_assert(ids_BT, table_VC):
    assert (ids_BT < table_VC.shape[0]).all(), "an id is out of range"
    return table_VC[ids_BT]


def embed(function, device):
    torch.manual_seed(0)
    ids_BT = torch.tensor([[0, 2, 1], [4, 4, 3]], device=device)
    inputs = ids_BT, torch.randn(5, 4, device=device)
    return observe(function, [inputs] * 2, compare=["eager"])


def symptom(device):
    return embed(embed_by_check, device)


def remedy(device):
    return embed(embed_by_assert, device)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return bool(report.graph_breaks)
