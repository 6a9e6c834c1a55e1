import torch

from validators.probes import observe


def normalize_or_raise(x_BC, std_C):
    y_BC = x_BC.exp()
    if torch.isnan(y_BC).any():
        raise ValueError("NaN in the input")
    if (std_C == 0).any():
        raise ValueError(f"a std of {tuple(std_C.shape)} is zero")
    return y_BC / std_C


def normalize_or_assert(x_BC, std_C):
    y_BC = x_BC.exp()
    assert (~torch.isnan(y_BC)).all(), "NaN in the input"
    assert (std_C != 0).all(), "a std is zero"
    return y_BC / std_C


def or_refused(normalize):
    """A caller that handles what a refused input raises; its answer is then -1."""

    def serve(x_BC, std_C):
        try:
            return normalize(x_BC, std_C)
        except (ValueError, AssertionError, RuntimeError) as error:
            if "is zero" not in str(error):
                raise
            return -torch.ones_like(x_BC)

    return serve


def run(normalize, device):
    torch.manual_seed(0)
    x_BC = torch.randn(2, 4, device=device, requires_grad=True)
    std_C = torch.rand(4, device=device) + 0.5
    calls = [(x_BC, std_C)] * 2
    if device == "cpu":
        # On a GPU a failed check in the graph ends the work of the process.
        calls += [(x_BC, std_C * 0), (x_BC, std_C)]

    def compiled(_):
        # `aot_eager`: AOTAutograd must keep the checks, whose results nobody uses.
        return or_refused(torch.compile(normalize, backend="aot_eager"))

    # Both are held to the function that raises, in eager mode.
    return observe(
        or_refused(normalize_or_raise), calls, compile=compiled, compare=("eager", "gradients")
    )


def symptom(device):
    return run(normalize_or_raise, device)


def remedy(device):
    return run(normalize_or_assert, device)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-6, report.calls
    if not report.graph_breaks:
        assert len(report.graphs) == 1, report.graphs
        return False
    return len(report.graphs) == 3
