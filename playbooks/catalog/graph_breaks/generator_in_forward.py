import torch

from validators.probes import observe


def denoise(sample, prediction, sigma, noise):
    mean = sample - sigma * prediction
    return mean + 0.5 * sigma * noise


def draws_inside(sample, prediction, sigma, generator):
    noise = torch.randn(sample.shape, generator=generator, device=sample.device)
    return denoise(sample, prediction, sigma, noise)


def inputs(device):
    torch.manual_seed(0)
    return torch.randn(2, 4, device=device), torch.randn(2, 4, device=device)


def symptom(device):
    generator, sigma = torch.Generator(device), torch.tensor(0.3, device=device)
    calls = [(*inputs(device), sigma, generator)] * 2
    return observe(draws_inside, calls, fullgraph=True, compare=["eager"])


def remedy(device):
    generator, sigma = torch.Generator(device), torch.tensor(0.3, device=device)
    noise = (torch.randn(2, 4, generator=generator, device=device) for _ in range(2))
    calls = [(*inputs(device), sigma, each) for each in noise]
    return observe(denoise, calls, fullgraph=True, compare=["eager"])


def shows(report):
    caught = report.exception
    if caught is not None:
        assert "Generator" in caught.message, caught.message
        return not report.graphs
    assert len(report.graphs) == 1 and len(report.calls) == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
