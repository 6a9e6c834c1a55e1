import torch

from validators.probes import observe


def noise_of(latents, generator):
    return torch.randn(latents.shape, generator=generator, device=latents.device)


def step(latents, sigma, generator):
    """A sampler's step: the noise comes from the generator that the user seeded."""
    denoised = latents * (1 - sigma)
    return (denoised + sigma * noise_of(latents, generator)).tanh()


def step_with_noise(latents, sigma, noise):
    denoised = latents * (1 - sigma)
    return (denoised + sigma * noise).tanh()


def sample(device):
    latents = torch.ones(2, 4, device=device)
    return latents, 0.5, torch.Generator(device).manual_seed(0)


def symptom(device):
    return observe(step, [sample(device)] * 2)


def remedy(device):
    latents, sigma, generator = sample(device)
    calls = [(latents, sigma, noise_of(latents, generator)) for _ in range(2)]
    return observe(step_with_noise, calls, compare=["eager"])


def shows(report):
    assert report.exception is None, report.exception
    if not report.graph_breaks:
        assert len(report.graphs) == 1, report.graphs
        assert not any(call.difference.eager for call in report.calls), report.calls
        return False
    drawn = any("randn" in op for graph in report.graphs for op in graph.targets)
    return len(report.graphs) > 1 and not drawn
