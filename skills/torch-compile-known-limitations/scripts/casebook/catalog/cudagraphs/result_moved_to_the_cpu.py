import torch

from validators.probes import observe


def predict(x):
    return (x.sin() + 1).to("cpu")


def predict_on_gpu(x):
    return x.sin() + 1


@torch.no_grad()
def compiled(device, function):
    calls = [(torch.randn(64, 1024, device=device),) for _ in range(3)]
    options = {"triton.cudagraphs": True, "graph_partition": False}
    return observe(function, calls, backend="inductor", options=options)


def symptom(device):
    return compiled(device, predict)


def remedy(device):
    return compiled(device, predict_on_gpu)


def shows(report):
    return any("cpu device" in reason for reason in report.cudagraphs.skips)
