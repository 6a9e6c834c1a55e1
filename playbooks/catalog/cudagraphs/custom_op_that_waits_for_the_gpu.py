import torch

from validators.probes import observe


def total(x: torch.Tensor) -> torch.Tensor:
    # Waits for the GPU, which a capture does not allow.
    return x.new_full((1,), x.sum().item())


def registered(name, **options):
    op = torch.library.custom_op(f"casebook::{name}", total, mutates_args=(), **options)
    op.register_fake(lambda x: x.new_empty(1))
    return op


def run(device, op):
    def step(x):
        return (op(x.sin()) + x).cos()

    x = torch.ones(8, device=device)
    return observe(step, [(x,)] * 4, backend="inductor", mode="reduce-overhead")


def symptom(device):
    return run(device, registered("total"))


def remedy(device):
    return run(device, registered("total", tags=(torch.Tag.cudagraph_unsafe,)))


def shows(report):
    seen = report.cudagraphs
    if report.exception is None:
        return seen is None or seen.replays == 0
    # The first call warms up, and the second one captures.
    return report.exception.call == 1
