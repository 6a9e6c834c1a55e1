import torch

from validators.probes import observe


def check(x):
    if x.shape[-1] != 8:
        raise ValueError(f"width {x.shape[-1]} instead of 8")


def head(x):
    return x.sigmoid() * 2


def checked_head(x):
    check(x)
    return head(x)


def checked_inside(head):
    return torch.compile(checked_head, backend="eager", fullgraph=True)


def checked_outside(head):
    compiled = torch.compile(head, backend="eager", fullgraph=True)

    def step(x):
        check(x)
        return compiled(x)

    return step


def serve(device, make):
    """A service that cuts what is too wide, and counts on the error to tell it so."""

    def served(head):
        step = make(head)

        def answer(x):
            try:
                return step(x)
            except ValueError:
                return step(x[..., :8].contiguous())

        return answer

    requests = [(torch.ones(2, width, device=device),) for width in (8, 12)]
    return observe(head, requests, compile=served, eager=make is checked_inside)


def symptom(device):
    return serve(device, checked_inside)


def remedy(device):
    return serve(device, checked_outside)


def shows(report):
    caught = report.exception
    if caught is None:
        assert [call.executions for call in report.calls] == [1, 1], report.calls
        assert len(report.graphs) == 1, len(report.graphs)
        return False
    refused = caught.type.endswith(".Unsupported") and caught.break_id == "GB0088"
    assert refused and "width 12 instead of 8" in caught.message, caught
    return caught.call == 1
