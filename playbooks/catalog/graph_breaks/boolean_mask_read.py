import torch
import torch._dynamo
import torch.nn.functional as F

from validators.probes import observe


def loss_of_selected(logits_BTV, targets_BT, answer_BT):
    loss_N = F.cross_entropy(logits_BTV[answer_BT], targets_BT[answer_BT], reduction="none")
    return loss_N.sum() / loss_N.numel()


def loss_of_all(logits_BTV, targets_BT, answer_BT):
    loss_BT = F.cross_entropy(logits_BTV.transpose(1, 2), targets_BT, reduction="none")
    return torch.where(answer_BT, loss_BT, 0).sum() / answer_BT.sum()


def two_batches(loss, device):
    """The first batch holds six answer tokens, the second ten."""
    generator = torch.Generator().manual_seed(0)
    logits_BTV = torch.randn(2, 8, 32, generator=generator).to(device)
    targets_BT = torch.randint(32, (2, 8), generator=generator).to(device)
    position_T = torch.arange(8, device=device).expand(2, 8)
    calls = [(logits_BTV, targets_BT, position_T >= start) for start in (5, 3)]
    return observe(loss, calls, compare=("eager",))


def symptom(device):
    return two_batches(loss_of_selected, device)


def remedy(device):
    with torch._dynamo.error_on_graph_break(True):
        return two_batches(loss_of_all, device)


def shows(report):
    return bool(report.graph_breaks) and sum(report.compiled[1:]) > 0
