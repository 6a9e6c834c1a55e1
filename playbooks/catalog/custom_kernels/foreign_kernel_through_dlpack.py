import torch

from validators.probes import observe


class View:
    """Another library's tensor: it takes the memory of torch's through DLPack."""

    def __init__(self, tensor):
        self.capsule = tensor.__dlpack__()


def attend_on_views(scores):
    """Stands for a kernel in CuTe DSL, CuPy, Warp or TVM, which is launched on such views."""
    mine = torch.from_dlpack(View(scores.detach().contiguous()).capsule)
    return mine.cummax(-1).values


attend_as_op = torch.library.custom_op(
    "casebook::attend_on_views",
    attend_on_views,
    mutates_args=(),
    schema="(Tensor scores) -> Tensor",
)
attend_as_op.register_fake(torch.empty_like)


def block_by(attend):
    return lambda x: attend(x.relu()) * 2 + x


def arm(attend, device):
    torch.manual_seed(0)
    inputs = (torch.randn(4, 8, device=device),)
    return observe(block_by(attend), [inputs] * 2, backend="aot_eager", compare=["eager"])


def symptom(device):
    return arm(attend_on_views, device)


def remedy(device):
    return arm(attend_as_op, device)


def shows(report):
    if report.exception is not None:
        return report.exception.call == 0 and not report.graphs
    (graph,) = report.graphs
    assert sum("attend_on_views" in target for target in graph.targets) == 1, graph.targets
    assert len(report.calls) == 2 and not report.graph_breaks, report
    assert all(call.difference.eager == 0 for call in report.calls), report.calls
    return False
