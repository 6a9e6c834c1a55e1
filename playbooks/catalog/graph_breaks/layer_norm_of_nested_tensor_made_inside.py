import torch

from validators.probes import observe

OFFSETS = ((0, 6, 11, 14, 20), (0, 2, 9, 15, 20))


def norm_of_nested_tensor(values_LD, offsets):
    batch = torch.nested.nested_tensor_from_jagged(values_LD, offsets)
    batch = torch.nn.functional.layer_norm(batch, (12,))
    return batch.relu().values()


def norm_of_values(values_LD, offsets):
    values_LD = torch.nn.functional.layer_norm(values_LD, (12,))
    batch = torch.nested.nested_tensor_from_jagged(values_LD, offsets)
    return batch.relu().values()


def run(device, function):
    torch.manual_seed(0)
    calls = [
        (
            torch.randn(20, 12, device=device, requires_grad=True),
            torch.tensor(offsets, device=device),
        )
        for offsets in OFFSETS
    ]

    def compiled(_):
        return torch.compile(function, backend="aot_eager")

    # Both arms are held to the layer norm of the nested tensor in eager mode.
    return observe(norm_of_nested_tensor, calls, compile=compiled, compare=("eager", "gradients"))


def symptom(device):
    return run(device, norm_of_nested_tensor)


def remedy(device):
    return run(device, norm_of_values)


def shows(report):
    if report.exception is not None:
        return True
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-5, report.calls
    return False
