import torch

from reference_models.toto import IndexListCache, TotoConfig, make_model
from validators.probes import observe


class ListLeftAlone(IndexListCache):
    """Writes keys and values in place; the caller moves the index, in eager code."""

    def append(self, k_NQTH, v_NQTH):
        start = self.current_idx[self.layer]
        end = start + k_NQTH.shape[2]
        self.k_NQSH[:, :, start:end] = k_NQTH
        self.v_NQSH[:, :, start:end] = v_NQTH
        return self.k_NQSH[:, :, :end], self.v_NQSH[:, :, :end]


class ListMutated(IndexListCache):
    """Moves the index in the list itself, and makes new tensors instead of writing to old ones."""

    def append(self, k_NQTH, v_NQTH):
        start = self.current_idx[self.layer]
        end = start + k_NQTH.shape[2]
        self.k_NQSH = self.k_NQSH.slice_scatter(k_NQTH, 2, start, end)
        self.v_NQSH = self.v_NQSH.slice_scatter(v_NQTH, 2, start, end)
        self.current_idx[self.layer] = end
        return self.k_NQSH[:, :, :end], self.v_NQSH[:, :, :end]


@torch.no_grad()
def decode(cache, device, caller_moves_index):
    config = TotoConfig.tiny(blocks=2, variate_every=0)
    decoder = make_model(config, device=device).decoder
    empty_NQSH = torch.zeros(2, config.heads, 9, config.dim // config.heads, device=device)
    index = [0] * config.blocks
    caches = [cache(empty_NQSH, layer, index) for layer in range(config.blocks)]

    def steps():
        for patches in (4, 1, 1, 1):
            yield torch.randn(1, 2, patches, config.dim, device=device), caches
            if caller_moves_index:
                index[:] = [i + patches for i in index]

    return observe(decoder, steps())


def symptom(device):
    return decode(ListLeftAlone, device, caller_moves_index=True)


def remedy(device):
    return decode(ListMutated, device, caller_moves_index=False)


def shows(report):
    # The index moved, or the second step would not have compiled again.
    assert report.compiled == (1, 1, 0, 0), report.compiled
    # Keys and values of two blocks, in each call.
    return len(report.mutated_inputs) == 2 * 2 * len(report.calls)
