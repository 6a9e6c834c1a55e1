"""What calls computed, kept so that another process can compare it with an uncompiled run.

`observe` hands every result to `keep`. The process that runs an arm compiled saves the results; the
one that runs the same arm uncompiled compares its own with them. So no reference runs beside the
compiled code, where it could change what Dynamo sees.
"""

from __future__ import annotations

from typing import Any, TypedDict

import torch
from torch.utils._pytree import tree_leaves

MOST_ELEMENTS = 1 << 16
"""Of a larger tensor evenly spaced elements are kept."""

# How far fused and reordered arithmetic may differ, relative to a tensor's largest magnitude.
_TOLERANCE = {
    torch.float64: 1e-9,
    torch.complex128: 1e-9,
    torch.float32: 2e-4,
    torch.complex64: 2e-4,
}
_LOOSE = 4e-2


class Compared(TypedDict):
    """How the results of an arm compare with those of its uncompiled run.

    `calls` counts the calls compared, `difference` says what differs first ("" where nothing does).
    """

    calls: int
    difference: str


Leaf = tuple[str, Any]
"""What a leaf is in words (dtype and shape of a tensor), and its values on the CPU."""

_keeping = False
_observations: list[list[list[Leaf]]] = []


def start_keeping() -> None:
    """Keep what every observation of this process computes, from now on."""
    global _keeping
    _keeping = True
    _observations.clear()


def begin() -> None:
    """Start an observation."""
    if _keeping:
        _observations.append([])


def keep(result: Any, args: Any, target: Any) -> None:
    """Keep a call's result, its arguments as they stand after it, and gradients of `target`."""
    if _keeping:
        values = [*tree_leaves(result), *_tensors(args), *_gradients(target)]
        _observations[-1].append([_leaf(value) for value in values])


def save(path: str) -> None:
    """Write the kept results to `path`."""
    torch.save(_observations, path)


def compare(path: str) -> Compared:
    """Compare what another process saved at `path` with what this process kept."""
    saved = torch.load(path, weights_only=False)
    calls = 0
    for index, (theirs, ours) in enumerate(zip(saved, _observations, strict=False)):
        place = f"observation {index}, " if len(saved) > 1 else ""
        for number, (compiled, eager) in enumerate(zip(theirs, ours, strict=False)):
            calls += 1
            if difference := _difference(compiled, eager):
                return {"calls": calls, "difference": f"{place}call {number}: {difference}"}
        if len(theirs) > len(ours):
            return {"calls": calls, "difference": f"{place}call {len(ours)}: eager raises"}
    return {"calls": calls, "difference": ""}


def _difference(compiled: list[Leaf], eager: list[Leaf]) -> str:
    """What differs first between two lists of leaves; "" where nothing does."""
    if len(compiled) != len(eager):
        return f"{len(compiled)} values, eager has {len(eager)}"
    for (kind, values), (wanted, reference) in zip(compiled, eager, strict=True):
        if kind != wanted:
            return f"{kind}, eager has {wanted}"
        if isinstance(values, torch.Tensor):
            gap, allowed = _gap(values, reference)
            if not gap <= allowed:
                return f"values differ by {gap:.3g}, eager's go up to {_magnitude(reference):.3g}"
        elif values != reference:
            return f"{values}, eager has {reference}"
    return ""


def _gap(values: torch.Tensor, reference: torch.Tensor) -> tuple[float, float]:
    """The largest difference of two equally shaped tensors, and the largest allowed."""
    if not (values.is_floating_point() or values.is_complex()):
        return float((values != reference).sum()), 0.0
    wide = torch.complex128 if values.is_complex() else torch.float64
    one, other = values.to(wide), reference.to(wide)
    same = (one == other) | (one.isnan() & other.isnan())
    gaps = torch.where(same, torch.zeros_like(one), one - other).abs().nan_to_num(float("inf"))
    gap = float(gaps.max()) if gaps.numel() else 0.0
    return gap, _TOLERANCE.get(values.dtype, _LOOSE) * max(1.0, _magnitude(reference))


def _magnitude(values: torch.Tensor) -> float:
    """The largest finite magnitude in a tensor."""
    finite = values[values.isfinite()].abs()
    return float(finite.max()) if finite.numel() else 0.0


def _leaf(value: Any) -> Leaf:
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if value is None or isinstance(value, (bool, int, str)):
        return type(value).__name__, value
    if isinstance(value, (float, complex)):
        return type(value).__name__, torch.tensor([value], dtype=torch.complex64)
    return type(value).__name__, None


def _tensor(value: torch.Tensor) -> Leaf:
    """A tensor's values; None if it has none (a fake or a wrapped one)."""
    kind = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    try:
        flat = value.detach().to_dense() if value.layout != torch.strided else value.detach()
        flat = flat.reshape(-1)
        step = max(1, flat.numel() // MOST_ELEMENTS)
        values = flat[::step].cpu().clone()
        return kind, values if type(values) is torch.Tensor else None
    except Exception:
        return kind, None


def _tensors(values: Any) -> list[torch.Tensor]:
    return [value for value in tree_leaves(values) if isinstance(value, torch.Tensor)]


def _gradients(target: Any) -> list[torch.Tensor]:
    """The gradients that the parameters of a module, a method's module or a training step hold."""
    owner = getattr(target, "__self__", target)
    owner = getattr(owner, "model", owner) if hasattr(owner, "compile_in_place") else owner
    if not isinstance(owner, torch.nn.Module):
        return []
    return [parameter.grad for parameter in owner.parameters() if parameter.grad is not None]
