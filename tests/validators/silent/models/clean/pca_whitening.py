"""Feature pipeline: standardise, PCA, whiten, and reconstruct."""

import torch


def standardise(x):
    centred = x - x.mean(0)
    return centred / (centred.square().mean(0).sqrt() + 1e-5)


def pca(x, rank):
    cov = x.t() @ x / (x.shape[0] - 1)
    values, vectors = torch.linalg.eigh(cov)
    values, vectors = values.flip(0)[:rank], vectors.flip(1)[:, :rank]
    return values, vectors


def whiten(x, rank=6):
    z = standardise(x)
    values, vectors = pca(z, rank)
    scores = z @ vectors
    white = scores * torch.rsqrt(values.clamp(min=1e-6))
    recon = scores @ vectors.t()
    u, s, vh = torch.linalg.svd(z, full_matrices=False)
    return {
        "explained": values / values.sum(),
        "components": vectors,
        "scores": scores,
        "white": white,
        "left": u[:, :rank],
        "singular": s,
        "residual": (z - recon).square().mean(),
    }


def design(rows):
    t = torch.arange(rows) * (2 * torch.pi / rows)
    waves = [torch.sin(k * t) for k in (1, 2, 3, 4)] + [torch.cos(k * t) for k in (1, 2, 3, 4)]
    return torch.stack(waves, 1)


def example():
    torch.manual_seed(19)
    offset = torch.randn(8)
    gain = torch.rand(8) + 0.5
    first = design(64) * gain + offset
    second = torch.randn(64, 8)
    second[:, 4:] = second[:, :4]
    return whiten, [(first,), (second,)]
