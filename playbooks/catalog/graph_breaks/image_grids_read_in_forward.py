import torch

from validators.probes import observe


def positions(grids):
    rows = []
    for height, width in grids.tolist():
        row = torch.arange(height, device=grids.device).repeat_interleave(width)
        column = torch.arange(width, device=grids.device).repeat(height)
        rows.append(torch.stack([row, column], dim=-1))
    return torch.cat(rows)


def encode(patches, grids):
    return rotate(patches, positions(grids))


def rotate(patches, places):
    angles = (places.float() / 10).repeat(1, 4)
    return patches * angles.cos() + patches.flip(-1) * angles.sin()


def images(device):
    for grids in ([[4, 6]], [[4, 6], [8, 2]], [[6, 6], [2, 4]]):
        grids = torch.tensor(grids, device=device)
        yield torch.randn(int(grids.prod(-1).sum()), 8, device=device), grids


def symptom(device):
    return observe(encode, list(images(device)))


def remedy(device):
    return observe(rotate, [(patches, positions(grids)) for patches, grids in images(device)])


def shows(report):
    return len(report.graph_breaks) > 0
