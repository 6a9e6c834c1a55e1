"""Parts of an output that are much smaller than the rest: each is compared on its own scale."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from validators.inspector.values.leaves import Leaf

_FEWEST = 4
"""How many elements of a slice must not be zero: fewer may be small, and round well, by chance."""

Allowed = list[torch.Tensor]
"""For each dim how far its slices may be from expected; infinite for those that are not small."""


def allowed_by_slice(
    leaf: Leaf, twins: Sequence[Leaf], relative: float, times: float, little: float
) -> Allowed:
    """How far slices of a tensor may be from expected; empty if all are of one scale.

    `twins` differ by rounding alone, of which `times` as much is allowed. A slice has a scale of
    its own if what is allowed to the whole is more than `little` of the slice.
    """
    twins = [it for it in twins if it.whole() and it.shape == leaf.shape]
    if not leaf.whole() or not leaf.values.is_floating_point() or len(twins) < 2:
        return []
    if len(leaf.shape) < 2 or not leaf.values.numel():
        return []
    values = _sizes(leaf)
    gaps = torch.stack([_gaps(leaf, it) for it in twins]).amax(0)
    found = []
    for dim in range(values.dim()):
        scales, noise = _largest(values, dim), _largest(gaps, dim)
        many = (values != 0).movedim(dim, 0).flatten(1).sum(1) >= _FEWEST
        small = many & (relative * values.max() > little * scales)
        limits = relative * scales + times * noise + torch.finfo(leaf.values.dtype).tiny
        found.append(torch.where(small, limits, float("inf")))
    return found if any(it.isfinite().any() for it in found) else []


def farthest(mine: Leaf, leaf: Leaf, allowed: Allowed) -> str:
    """Which slice differs by more than is allowed, in words; "" if none does."""
    if not allowed or not mine.whole() or mine.shape != leaf.shape:
        return ""
    gaps = _gaps(leaf, mine)
    for dim, limits in enumerate(allowed):
        far = _largest(gaps, dim)
        worst = int((far / limits).argmax())
        if far[worst] > limits[worst]:
            size = _largest(_sizes(leaf), dim)
            there = ", ".join([":"] * dim + [str(worst)] + [":"] * (len(leaf.shape) - dim - 1))
            return (
                f"differs by {far[worst]:.3g} in [{there}], and rounding by at most"
                f" {limits[worst]:.2g}; before, it goes up to {size[worst]:.3g} there"
            )
    return ""


def _sizes(leaf: Leaf) -> torch.Tensor:
    """The magnitudes of a tensor's elements, 0 where they are not finite numbers."""
    values: torch.Tensor = leaf.values.double().abs()
    return values.nan_to_num(0.0, 0.0).view(leaf.shape)


def _gaps(one: Leaf, other: Leaf) -> torch.Tensor:
    """How far elements that are finite in both are from each other."""
    gaps = (one.values.double() - other.values.double()).abs()
    return gaps.nan_to_num(0.0, 0.0).view(one.shape)


def _largest(values: torch.Tensor, dim: int) -> torch.Tensor:
    """The largest value of each slice along a dim."""
    return values.movedim(dim, 0).flatten(1).amax(1)
