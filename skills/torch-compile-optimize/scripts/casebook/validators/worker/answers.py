"""What a call computes: its output, arguments as they stand after it, gradients and state.

An answer can be saved, so that another process can compare its own with it.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.probes.arguments import Arguments
from validators.worker.keyed import keyed
from validators.worker.sharing import WRAPPED, shared
from validators.worker.target import Target, copy_of, tensors_in
from validators.worker.user_code import seed

SEED = 20
"""Where the random numbers of each call begin."""
MOST_ELEMENTS = 1 << 18
"""Of a larger tensor no element is kept, but weighted sums of all."""
SUMS = 1 << 16
"""About how many sums are kept."""
_AT_ONCE = 1 << 10
"""Of so many sums the elements are wide at a time."""
_PARITIES = 1 << 10
_EXTRA = "_extra_state"
"""What `state_dict` calls what a module saves besides parameters and buffers."""
_DEEPEST = 8
"""How many objects within objects are looked into."""
_PLAIN = (type(None), bool, int, str, bytes, torch.dtype, torch.device)
_OPAQUE = (torch.nn.Module, type, torch.Generator)


@dataclasses.dataclass(frozen=True)
class Leaf:
    """One part of an answer.

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
"""Parts of an answer by their paths, such as `output[0]['logits']`."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a call computes.

    `gradients` is None where nobody asked for them, or no backward pass can be run. `attributes`
    are tensors and numbers that modules hold without having registered them. `shared` says which
    outputs share memory with which arguments, or with what the model holds. `drawn` stands for
    where torch's random numbers are after the call.
    """

    returned: Leaves
    arguments: Leaves
    gradients: Leaves | None
    state: Leaves
    attributes: Leaves
    shared: frozenset[tuple[str, str]] = frozenset()
    drawn: str = ""


def answer(
    target: Target, run: Callable[..., Any], given: Arguments, backward: bool = False
) -> Answer:
    """Make one call of `run`, and tell what it computes.

    With `backward`, gradients are those of a weighted sum of all outputs. A training step has made
    its own. An exception of the backward pass is raised as `NoGradients`.
    """
    seed(SEED)
    item = copy_of(given)
    returned = run(*item.args, **item.kwargs)
    made = leaves(returned, "output")
    model = target.model
    sharing = shared(returned, item, model)
    gradients = None
    if target.trains or backward:
        if not target.trains:
            backward_of(returned)
        gradients = _gradients(model, item)
    drawn = hashlib.sha256(bytes(torch.get_rng_state().tolist())).hexdigest()
    state, attributes = state_of(model), attributes_of(model)
    return Answer(made, _arguments(item), gradients, state, attributes, sharing, drawn)


def with_shared(state: Leaves, previous: Leaves) -> Leaves:
    """A state that holds what has not changed only once."""
    return {
        path: before if (before := previous.get(path)) and _equal(before, leaf) else leaf
        for path, leaf in state.items()
    }


def _equal(one: Leaf, other: Leaf) -> bool:
    both = isinstance(one.values, torch.Tensor) and isinstance(other.values, torch.Tensor)
    return both and one.kind == other.kind and torch.equal(one.values, other.values)


def same_random_numbers() -> None:
    """Draw in compiled code what eager mode draws.

    Inductor has random numbers of its own, and Dynamo leaves NumPy's alone.
    """
    torch._inductor.config.fallback_random = True
    torch._dynamo.config.use_numpy_random_stream = True


def random_state() -> torch.Tensor:
    """Where torch's random numbers are, on the GPU too if there is one in use."""
    here = torch.get_rng_state()
    return torch.cat([here, torch.cuda.get_rng_state()]) if torch.cuda.is_initialized() else here


class NoGradients(Exception):
    """A backward pass raises; the message is that of its exception."""


def backward_of(returned: Any) -> bool:
    """Backward from all outputs that allow it; return whether any does.

    Raises:
        NoGradients: the backward pass raises.
    """
    values = [it for it in tensors_in(returned) if it.requires_grad and it.is_floating_point()]
    # A plain sum has no gradient through a normalization, so elements weigh differently.
    weights = [
        torch.linspace(0.5, 1.5, it.numel(), dtype=it.dtype, device=it.device).view(it.shape)
        for it in values
    ]
    if not values:
        return False
    try:
        torch.autograd.backward(values, weights)
    except Exception as error:
        raise NoGradients(str(error)) from error
    return True


def _gradients(model: torch.nn.Module | None, item: Arguments) -> Leaves:
    """The gradients of parameters and inputs, which are taken away from them."""
    found: Leaves = {}
    named = dict(model.named_parameters()) if model is not None else {}
    for name, value in (*named.items(), *_named_inputs(item)):
        if value.grad is not None:
            found[plain(name)] = _tensor(value.grad.detach())
            value.grad = None
    return found


def _named_inputs(item: Arguments) -> Iterator[tuple[str, torch.Tensor]]:
    for path, value in keyed((item.args, item.kwargs)):
        if isinstance(value, torch.Tensor) and value.is_leaf:
            yield f"argument {pytree.keystr(path[1:]).strip('[]')}", value


def _arguments(item: Arguments) -> Leaves:
    found: Leaves = {}
    for name, value in (*enumerate(item.args), *item.kwargs.items()):
        found.update(leaves(value, f"argument {name}"))
    return found


def state_of(model: torch.nn.Module | None) -> Leaves:
    """The parameters and buffers of a model as they stand, those outside of `state_dict`, too.

    What `get_extra_state` returns for `state_dict` is state as well.
    """
    if model is None:
        return {}
    named = [
        *model.named_parameters(remove_duplicate=False),
        *model.named_buffers(remove_duplicate=False),
    ]
    found = {plain(name): _tensor(value.detach()) for name, value in named}
    for prefix, module in model.named_modules():
        if type(module).get_extra_state is not torch.nn.Module.get_extra_state:
            path = plain(f"{prefix}.{_EXTRA}" if prefix else _EXTRA)
            found.update(leaves(pytree.tree_map(_detached, module.get_extra_state()), path))
    return found


def names_of(model: torch.nn.Module | None) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a model's parameters and of its buffers."""
    if model is None:
        return frozenset(), frozenset()
    parameters = model.named_parameters(remove_duplicate=False)
    buffers = model.named_buffers(remove_duplicate=False)
    return frozenset(plain(it) for it, _ in parameters), frozenset(plain(it) for it, _ in buffers)


def attributes_of(model: torch.nn.Module | None) -> Leaves:
    """The tensors and numbers that modules hold as plain attributes."""
    found: Leaves = {}
    for prefix, module in model.named_modules() if model is not None else ():
        for name, value in vars(module).items():
            if name.startswith("_") or name == "training":
                continue
            if isinstance(value, (torch.Tensor, int, float)):
                path = plain(f"{prefix}.{name}" if prefix else name)
                found.update(leaves(_detached(value), path))
    return found


def plain(name: str) -> str:
    """A parameter's name in the module that was compiled."""
    return name.replace(WRAPPED, "")


def leaves(value: Any, path: str) -> Leaves:
    """The parts of a value by their paths; what holds others comes before them."""
    found: Leaves = {}
    _collect(value, path, found, [])
    return found


def _collect(value: Any, path: str, found: Leaves, within: list[int]) -> None:
    if isinstance(value, torch.Tensor):
        found[path] = _tensor(value)
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


def _tensor(value: torch.Tensor) -> Leaf:
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
        known = _tensor(torch.as_tensor(value))
    except TypeError:
        return Leaf(type(value).__name__, repr(value))
    return dataclasses.replace(known, kind=f"{known.kind} of NumPy")


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


def _detached(value: Any) -> Any:
    return value.detach() if isinstance(value, torch.Tensor) else value
