"""What a call computes: its output, arguments as they stand after it, gradients and state.

An answer can be saved, so that another process can compare its own with it.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.target import Target, copy_of, tensors_in
from validators.inspector.values.keyed import keyed
from validators.inspector.values.leaves import Leaf, Leaves, leaf_of, leaves
from validators.inspector.values.sharing import WRAPPED, shared
from validators.inspector.values.sums import SEED
from validators.probes.arguments import Arguments
from validators.worker.user_code import seed

_EXTRA = "_extra_state"
"""What `state_dict` calls what a module saves besides parameters and buffers."""


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
            found[plain(name)] = leaf_of(value.grad.detach())
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
    found = {plain(name): leaf_of(value.detach()) for name, value in named}
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


def _detached(value: Any) -> Any:
    return value.detach() if isinstance(value, torch.Tensor) else value
