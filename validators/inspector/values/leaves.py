"""The parts of a value that can be compared: tensors, numbers and texts, and what holds them."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Mapping
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.values.sums import MOST_ELEMENTS, summed

_DEEPEST = 8
"""How many objects within objects are looked into."""
_PLAIN = (type(None), bool, int, str, bytes, torch.dtype, torch.device)
_OPAQUE = (torch.nn.Module, type, torch.Generator)


@dataclasses.dataclass(frozen=True)
class Leaf:
    """One part of a value.

    `kind` says what it is: dtype, shape and the like of a tensor, the keys or the length of what
    holds other parts, or a type's name. `values` are a tensor's elements on the CPU, in one row, or
    what `summed` makes of a large tensor, or the value of a number or text; None if there are none
    to compare. `trains` says that a tensor requires gradients. `shape` is the tensor's. `keys` are
    those of a dict, in whose order equal dicts may differ.
    """

    kind: str
    values: Any = None
    trains: bool = False
    shape: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()

    def whole(self) -> bool:
        """Whether `values` are all elements of a tensor."""
        values = self.values
        return isinstance(values, torch.Tensor) and math.prod(self.shape) == values.numel()

    def as_tensor(self) -> Leaf:
        """A whole number as a tensor."""
        known = isinstance(self.values, int)
        return Leaf("", torch.tensor([self.values])) if known else self


Leaves = dict[str, Leaf]
"""Parts of a value by their paths, such as `output[0]['logits']`."""


def leaves(value: Any, path: str) -> Leaves:
    """The parts of a value by their paths; what holds others comes before them."""
    found: Leaves = {}
    _collect(value, path, found, [])
    return found


def _collect(value: Any, path: str, found: Leaves, within: list[int]) -> None:
    if isinstance(value, torch.Tensor):
        found[path] = leaf_of(value)
    elif isinstance(value, enum.Enum):
        found[path] = Leaf(type(value).__name__, value.name)
    elif type(value).__module__ == "numpy":
        found[path] = _array(value)
    elif isinstance(value, (set, frozenset)):
        found[path] = Leaf(f"set of {len(value)}", sorted(map(repr, value)))
    elif isinstance(value, _PLAIN):
        found[path] = Leaf(type(value).__name__, value)
    elif isinstance(value, (float, complex)):
        found[path] = Leaf(type(value).__name__, torch.tensor([value], dtype=torch.complex64))
    else:
        kind, parts = _parts(value)
        found[path] = Leaf(kind, keys=tuple(map(repr, value)) if type(value) is dict else ())
        if id(value) not in within and len(within) < _DEEPEST:
            for key, part in parts:
                _collect(part, path + key, found, [*within, id(value)])


def _parts(value: Any) -> tuple[str, list[tuple[str, Any]]]:
    """What a value is that holds others, in words, and what it holds, by the end of the path.

    The name of a class does not count: code that takes what its objects hold does not see it.
    """
    if isinstance(value, Mapping):
        # Equal dicts may have their keys in another order; other mappings can be indexed by it.
        keys = sorted(value, key=repr) if type(value) is dict else list(value)
        kind = "dict" if type(value) is dict else "mapping"
        return f"{kind} of {_listed(keys)}", [(f"[{it!r}]", value[it]) for it in keys]
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        kind = "list" if isinstance(value, list) else "tuple"
        return f"{kind} of {len(value)}", [(f"[{n}]", it) for n, it in enumerate(value)]
    if (fields := _fields(value)) is not None:
        kind = "tuple" if isinstance(value, tuple) else "object"
        return f"{kind} with {_listed(fields)}", [(f".{it}", getattr(value, it)) for it in fields]
    if type(value) in pytree.SUPPORTED_NODES:
        inner, _ = pytree.SUPPORTED_NODES[type(value)].flatten_fn(value)
        return type(value).__name__, [(f"[{n}]", it) for n, it in enumerate(inner)]
    held = {} if isinstance(value, _OPAQUE) else getattr(value, "__dict__", {})
    # What else an object of a class holds is its own affair.
    names = [it for it in held if _holds(held[it])]
    kind = f"object with {_listed(names)}" if names else type(value).__name__
    return kind, [(f".{it}", held[it]) for it in names]


def _fields(value: Any) -> list[str] | None:
    """The names of the fields of a named tuple or a dataclass."""
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(value):
        return [it.name for it in dataclasses.fields(value) if hasattr(value, it.name)]
    return list(getattr(value, "_fields", ())) if isinstance(value, tuple) else None


def _holds(value: Any) -> bool:
    """Whether a value is or holds a tensor, or objects that may do so."""
    values = pytree.tree_leaves(value)
    return any(isinstance(it, torch.Tensor) or _made_of_tensors(it) for it in values)


def _made_of_tensors(value: Any) -> bool:
    held = getattr(value, "__dict__", None)
    if isinstance(value, _OPAQUE) or not isinstance(held, dict):
        return False
    return any(isinstance(it, torch.Tensor) for it in pytree.tree_leaves(list(held.values())))


def _listed(names: list[Any]) -> str:
    return ", ".join(map(str, names)) or "nothing"


def leaf_of(value: torch.Tensor) -> Leaf:
    """A tensor's kind, and its values if it has any (a fake one has none)."""
    kind = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if value.device.type != "cpu":
        kind += f" on {value.device}"
    if value.layout != torch.strided:
        kind += f", {str(value.layout).removeprefix('torch.')}"
    try:
        flat = value.detach().to_dense() if value.layout != torch.strided else value.detach()
        flat = flat.reshape(-1)
        values = flat.cpu().clone() if flat.numel() <= MOST_ELEMENTS else summed(flat).cpu()
    except Exception:
        return Leaf(kind, None, value.requires_grad)
    kept = values if type(values) is torch.Tensor else None
    return Leaf(kind, kept, value.requires_grad, tuple(value.shape))


def _array(value: Any) -> Leaf:
    """An array or a number of NumPy; of what torch has no dtype for, its text counts."""
    try:
        known = leaf_of(torch.as_tensor(value))
    except TypeError:
        return Leaf(type(value).__name__, repr(value))
    return dataclasses.replace(known, kind=f"{known.kind} of NumPy")
