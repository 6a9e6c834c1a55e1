"""How far compiled results are from the same calls run eagerly, in the same or double precision."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

from validators.probes.report import Difference
from validators.probes.switches import force_eager

WORDS = ("eager", "float64", "gradients")
# JSON has no infinity: this stands for results that cannot be subtracted at all.
DIFFERENT = sys.float_info.max
_SEED = 20


class Comparison(contextlib.ExitStack):
    """References that make the same calls as the compiled target.

    Modules (and training steps) are deep-copied, so each run has its own state. A plain function
    is shared, and so is what it closes over. Every run of a call starts from the same seed and
    from its own copy of the inputs.
    """

    def __init__(self, target: Callable[..., Any], compare: Sequence[str]) -> None:
        super().__init__()
        unknown = sorted(set(compare) - set(WORDS))
        if unknown:
            raise ValueError(f"compare={unknown} is not among {list(WORDS)}; use those words.")
        self.compare = frozenset(compare)
        self.target = target
        self.eager = copied(target)
        self.double = _double(copied(target)) if "float64" in compare else None
        self._inputs: tuple[Any, Any] = ((), {})

    def __enter__(self) -> Comparison:
        """Keep the random state of the caller until the end."""
        devices = list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []
        self.enter_context(torch.random.fork_rng(devices=devices))
        return self

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Copy the inputs before the compiled call may change them, and seed that call."""
        if "gradients" in self.compare:
            for value in _tensors((args, kwargs)):
                if value.is_leaf:
                    value.grad = None
        self._inputs = copied_inputs((args, kwargs))
        torch.manual_seed(_SEED)

    def after(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Difference:
        """Run the references for the call that returned `result`, and compare."""
        gradients = None
        if "gradients" in self.compare:
            _backward(result)
            gradients = _gradients(self.target, (args, kwargs))
        result = tree_map(_kept, result)
        doubled = copied_inputs(self._inputs) if self.double is not None else None
        eager = self._call(self.eager, self._inputs)
        gradients_eager = None
        if gradients is not None:
            _backward(eager)
            gradients_eager = distance(gradients, _gradients(self.eager, self._inputs))
        if doubled is None:
            both: tuple[float | None, float | None] = (None, None)
        else:
            exact = self._exact(tree_map(_as_double, doubled))
            both = distance(result, exact, kind=False), distance(eager, exact, kind=False)
        return Difference(
            eager=distance(result, eager) if "eager" in self.compare else None,
            compiled_float64=both[0],
            eager_float64=both[1],
            gradients_eager=gradients_eager,
        )

    def _exact(self, inputs: tuple[Any, Any]) -> Any:
        try:
            return self._call(self.double, inputs)
        except RuntimeError as error:
            raise RuntimeError(
                "The float64 reference failed: only a module (or training step) given as target "
                "is converted, not what a function closes over, nor dtypes that code names."
            ) from error

    def _call(self, target: Any, inputs: tuple[Any, Any]) -> Any:
        torch.manual_seed(_SEED)
        # The target may hold functions that are compiled already; a reference never runs those.
        with force_eager():
            return target(*inputs[0], **inputs[1])


def distance(one: Any, other: Any, kind: bool = True) -> float:
    """The largest absolute difference between the tensors and numbers of two results.

    Equal infinities and NaN beside NaN count 0. `DIFFERENT` if the results cannot be
    subtracted: other structure, shape or (if `kind`) dtype or device, or NaN on one side only.
    """
    left, right = tree_leaves(one), tree_leaves(other)
    if len(left) != len(right):
        return DIFFERENT
    return max((_leaf(a, b, kind) for a, b in zip(left, right, strict=True)), default=0.0)


def _leaf(a: Any, b: Any, kind: bool) -> float:
    numbers = (bool, int, float, complex)
    if isinstance(a, numbers) and isinstance(b, numbers):
        a, b = torch.tensor(a), torch.tensor(b)
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return 0.0 if a is b or a == b else DIFFERENT
    if a.shape != b.shape or (kind and (a.dtype != b.dtype or a.device != b.device)):
        return DIFFERENT
    a, b = _wide(a), _wide(b)
    gap = (a - b).abs()
    gap = torch.where((a == b) | (a.isnan() & b.isnan()), 0.0, gap).nan_to_num(DIFFERENT, DIFFERENT)
    return float(gap.max()) if gap.numel() else 0.0


def _wide(value: torch.Tensor) -> torch.Tensor:
    value = value.detach().cpu()
    value = value.to_dense() if value.layout != torch.strided else value
    return value.to(torch.complex128 if value.is_complex() else torch.float64)


def copied(target: Any) -> Any:
    """A deep copy of a module or training step, gradients included; a function as it is."""
    # The deep copy of a compiled module would still call the original.
    target = getattr(target, "_orig_mod", target)
    owner = getattr(target, "__self__", target)
    if isinstance(owner, torch.nn.Module) or hasattr(owner, "compile_in_place"):
        copied = copy.deepcopy(target)
        # A parameter's deep copy has no gradient, and gradients may be accumulating.
        for mine, other in zip(_parameters(copied), _parameters(target), strict=True):
            mine.grad = None if other.grad is None else other.grad.detach().clone()
        return copied
    return target


def _owner(target: Any) -> Any:
    owner = getattr(target, "__self__", target)
    return getattr(owner, "model", owner) if hasattr(owner, "compile_in_place") else owner


def _parameters(target: Any) -> list[torch.Tensor]:
    owner = _owner(target)
    return list(owner.parameters()) if isinstance(owner, torch.nn.Module) else []


def _double(target: Any) -> Any:
    owner = _owner(target)
    if isinstance(owner, torch.nn.Module):
        owner.double()
    return target


def copied_inputs(inputs: Any) -> Any:
    """A deep copy; deepcopy refuses tensors that autograd or inference mode made."""
    made = [v for v in _tensors(inputs) if not v.is_leaf or v.is_inference()]
    memo: dict[int, Any] = {id(v): v.detach().clone().requires_grad_(v.requires_grad) for v in made}
    return copy.deepcopy(inputs, memo)


def _kept(value: Any) -> Any:
    """A copy of a result as it is now, which the reference cannot change in place."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _as_double(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.detach().double().requires_grad_(value.requires_grad)
    return value


def _tensors(values: Any) -> list[torch.Tensor]:
    return [value for value in tree_leaves(values) if isinstance(value, torch.Tensor)]


def _backward(result: Any) -> None:
    """Backward from all outputs that allow it; a training step has done so itself."""
    outputs = [v for v in _tensors(result) if v.grad_fn is not None and v.is_floating_point()]
    if outputs:
        # A plain sum has no gradient through a normalization, so elements weigh differently.
        torch.stack([(v.flatten() * _weights(v)).sum().float() for v in outputs]).sum().backward()


def _weights(value: torch.Tensor) -> torch.Tensor:
    return torch.linspace(0.5, 1.5, value.numel(), dtype=value.dtype, device=value.device)


def _gradients(target: Any, inputs: Any) -> list[Any]:
    """Copies of the gradients of the target's parameters, then of its inputs; None if none."""
    values = _parameters(target)
    values += [v for v in _tensors(inputs) if v.is_leaf and v.requires_grad]
    return [None if v.grad is None else v.grad.detach().clone() for v in values]
