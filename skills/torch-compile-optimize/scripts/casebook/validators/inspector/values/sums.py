"""Sums that stand for a tensor too large to keep: any change of an element changes them."""

from __future__ import annotations

import torch

SEED = 20
"""Where the random numbers begin."""
MOST_ELEMENTS = 1 << 18
"""Of a larger tensor no element is kept, but weighted sums of all."""
SUMS = 1 << 16
"""About how many sums are kept."""
_AT_ONCE = 1 << 10
"""Of so many sums the elements are wide at a time."""
_PARITIES = 1 << 10


def summed(flat: torch.Tensor) -> torch.Tensor:
    """Sums of all elements of a tensor, block by block, each with random weights.

    No regular pattern of changes cancels. A sum is about as large as an element, and stays in its
    dtype. Of numbers that are not finite, parities of their counts follow: NaN, or an infinity,
    where the count is odd.
    """
    numbers = torch.Generator().manual_seed(SEED)
    size = -(-flat.numel() // SUMS)
    if not (flat.is_floating_point() or flat.is_complex()):
        odd = torch.randint(1 << 61, (size,), generator=numbers) * 2 + 1
        return _by_blocks(flat, odd)
    weights = torch.rand(size, generator=numbers, dtype=torch.float64) + 0.5
    weights *= torch.randint(0, 2, (size,), generator=numbers) * 2 - 1
    # Eight bits would round a sum by more than is allowed.
    kept = flat.dtype if flat.dtype.itemsize > 1 else torch.bfloat16
    sums = _by_blocks(flat, weights / weights.norm()).to(kept)
    # Drawing a group for each element takes longer than all else, and most tensors are finite.
    whole = flat.isfinite().all()
    odd = torch.zeros(3 * _PARITIES) if whole else _parities(flat, numbers)
    return torch.cat([sums, odd.to(sums.device, kept)])


def _by_blocks(flat: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The weighted sum of each block of elements, as long as the weights; the last has zeros.

    What is not finite counts 0. Some blocks at a time are made wide, so that a model that fills
    half of the memory has room.
    """
    weights = weights.to(flat.device)
    return torch.cat([_piece(it, weights) for it in flat.split(_AT_ONCE * len(weights))])


def _piece(flat: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    wide = flat.to(torch.promote_types(flat.dtype, weights.dtype))
    finite = wide.where(wide.isfinite(), 0)
    missing = -flat.numel() % len(weights)
    blocks = torch.nn.functional.pad(finite, (0, missing)).view(-1, len(weights))
    return (blocks * weights).sum(1)


def _parities(flat: torch.Tensor, numbers: torch.Generator) -> torch.Tensor:
    """For NaN and each infinity, which counts of them are odd, over random groups of elements."""
    real = torch.view_as_real(flat).sum(-1) if flat.is_complex() else flat
    groups = torch.randint(0, _PARITIES, real.shape, generator=numbers).to(real.device)
    found = []
    for value, there in (
        (float("nan"), real.isnan()),
        (float("inf"), real == float("inf")),
        (float("-inf"), real == -float("inf")),
    ):
        odd = torch.bincount(groups[there], minlength=_PARITIES) % 2 == 1
        found.append(torch.where(odd, value, 0.0))
    return torch.cat(found)
