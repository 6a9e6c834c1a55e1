import torch

from validators.probes import observe


@torch.no_grad()
def serve(device):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).to(device)
    x = torch.randn(4, 8, device=device)
    return observe(model, [(x,)] * 4, mode="reduce-overhead", backend="inductor")


# The allocator is that of the arm's environment, which the page names.
def symptom(device):
    return serve(device)


def remedy(device):
    return serve(device)


def shows(report):
    if report.exception is not None:
        assert "cudaMallocAsync does not yet support" in report.exception.message, report.exception
        return True
    seen = report.cudagraphs
    assert seen is not None and seen.replays > 0 and not seen.skips, seen
    return False
