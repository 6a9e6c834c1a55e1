import torch

from validators.probes import observe


def greedy_spans(scores):
    """Stands for a kernel of an extension: for Dynamo, an opaque call."""
    return scores.cummax(dim=-1).values


opaque = torch.library.custom_op(
    "casebook::opaque_spans", greedy_spans, mutates_args=(), schema="(Tensor scores) -> Tensor"
)
described = torch.library.custom_op(
    "casebook::described_spans", greedy_spans, mutates_args=(), schema="(Tensor scores) -> Tensor"
)


@described.register_fake
def _(scores):
    return torch.empty_like(scores)


def head(spans):
    return lambda hidden: spans(hidden.softmax(dim=-1)) * 2


def symptom(device):
    return observe(head(opaque), [(torch.randn(2, 8, device=device),)])


def remedy(device):
    return observe(head(described), [(torch.randn(2, 8, device=device),)])


def shows(report):
    if report.exception is not None:
        return not report.graphs
    in_graph = any("described_spans" in op for graph in report.graphs for op in graph.targets)
    return len(report.graphs) != 1 or not in_graph
