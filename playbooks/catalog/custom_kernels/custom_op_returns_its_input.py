import torch

from validators.probes import observe


def to_float(x):
    """Stands for a kernel that has nothing to do where the dtype is right."""
    return x.float()


def to_new_float(x):
    return x.to(torch.float32, copy=True)


ops = {}
for name, kernel in {"as_is": to_float, "fresh": to_new_float}.items():
    ops[name] = torch.library.custom_op(
        f"casebook::float_{name}", kernel, mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    ops[name].register_fake(lambda x: torch.empty_like(x, dtype=torch.float32))


def convert(name, device):
    inputs = [torch.ones(4, dtype=dtype, device=device) for dtype in (torch.half, torch.float)]
    return observe(lambda x: ops[name](x) + 1, [(x,) for x in inputs], backend="aot_eager")


def symptom(device):
    return convert("as_is", device)


def remedy(device):
    return convert("fresh", device)


def shows(report):
    assert report.calls[0].executions == 1, report.calls
    if report.exception is None:
        assert all("float_fresh" in str(sorted(graph.targets)) for graph in report.graphs)
        return False
    return report.exception.call == 1
