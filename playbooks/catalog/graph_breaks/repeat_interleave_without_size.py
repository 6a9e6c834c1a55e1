import torch

from validators.probes import observe


def frame_ids(sizes):
    def ids(patches_NC, lengths_F):
        frames_F = torch.arange(lengths_F.shape[0], device=lengths_F.device)
        frame_N = torch.repeat_interleave(frames_F, lengths_F, **sizes(patches_NC))
        return patches_NC + frame_N[:, None]

    return ids


def packed(sizes, device):
    torch.manual_seed(0)
    lengths = torch.tensor([3, 1, 4], device=device)
    patches = torch.randn(8, 5, device=device)
    return observe(frame_ids(sizes), [(patches, lengths)] * 2, compare=["eager"])


def symptom(device):
    return packed(lambda patches: {}, device)


def remedy(device):
    return packed(lambda patches: {"output_size": patches.shape[0]}, device)


def shows(report):
    assert report.exception is None and len(report.calls) == 2, report.exception
    assert all(call.difference.eager == 0 for call in report.calls), report
    assert report.graph_breaks or len(report.graphs) == 1, report.graphs
    return len(report.graphs) > 1
