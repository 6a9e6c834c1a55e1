"""What a program holds, kept so that it can be put back: tensors, modules, lists and the like."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

_PLAIN = (str, bytes, int, float, complex, bool, type(None), torch.dtype, torch.device)
_HOLDERS = (list, dict, set)
_MOST = 20_000
"""How many objects are looked at."""


class Snapshot:
    """The state of everything that can be reached from some objects."""

    def __init__(self, namespace: dict[str, Any], *roots: Any) -> None:
        """`namespace` are a program's globals; `roots` are other objects of it."""
        self.tensors: list[torch.Tensor] = []
        self.modules: list[torch.nn.Module] = []
        self._restorers: list[Callable[[], None]] = []
        self._seen: dict[int, Any] = {}
        names = {name: it for name, it in namespace.items() if not name.startswith("__")}
        self._restorers.append(lambda: namespace.update(names))
        waiting = [*names.values(), *roots]
        while waiting and len(self._seen) < _MOST:
            it = waiting.pop()
            if isinstance(it, _PLAIN) or id(it) in self._seen:
                continue
            self._seen[id(it)] = it
            waiting += self._keep(it)

    def restore(self) -> None:
        """Put everything back."""
        with torch.no_grad():
            for restorer in self._restorers:
                restorer()

    def leaves(self) -> list[torch.Tensor]:
        """The tensors that gather gradients."""
        return [it for it in self.tensors if it.is_leaf and it.requires_grad]

    def _keep(self, it: Any) -> Iterable[Any]:
        """Keep what an object holds; return the objects that it holds."""
        if isinstance(it, torch.Tensor):
            return self._keep_tensor(it)
        if isinstance(it, _HOLDERS):
            return self._keep_holder(it)
        if isinstance(it, (tuple, frozenset)):
            return it
        if isinstance(it, types.MethodType):
            return [it.__self__, it.__func__]
        if isinstance(it, type):
            return self._keep_class(it) if _is_the_programs(it) else []
        return self._keep_object(it)

    def _keep_tensor(self, it: torch.Tensor) -> list[Any]:
        if type(it) not in (torch.Tensor, torch.nn.Parameter):
            return []
        if it.is_inference() or it.is_meta or it.layout != torch.strided:
            return []
        self.tensors.append(it)
        gradient = it.grad
        written = [it, gradient] if gradient is not None else [it]
        kept = [(value, value.detach().clone()) for value in written if not _is_expanded(value)]

        def restore() -> None:
            it.grad = None
            for value, values in kept:
                if value.dtype == values.dtype and value.shape == values.shape:
                    value.detach().copy_(values)
                else:
                    value.data = values.clone()
            it.grad = gradient

        self._restorers.append(restore)
        return []

    def _keep_holder(self, it: Any) -> Iterable[Any]:
        parts = it.copy()

        def restore() -> None:
            it.clear()
            it.extend(parts) if isinstance(it, list) else it.update(parts)

        self._restorers.append(restore)
        return list(it.values()) if isinstance(it, dict) else list(it)

    def _keep_class(self, it: type) -> list[Any]:
        held = {name: value for name, value in vars(it).items() if not name.startswith("__")}

        def restore() -> None:
            for name, value in held.items():
                if vars(it).get(name) is not value:
                    setattr(it, name, value)

        self._restorers.append(restore)
        return list(held.values())

    def _keep_object(self, it: Any) -> list[Any]:
        """A module, an optimizer, a function, or an object of a class of the program's."""
        if isinstance(it, torch.nn.Module):
            self.modules.append(it)
        known = isinstance(it, (torch.nn.Module, torch.optim.Optimizer))
        named = it if isinstance(it, types.FunctionType) else type(it)
        held = getattr(it, "__dict__", None)
        if held is None or not (known or _is_the_programs(named)):
            return []
        return [held, *_captured(it)]


def _is_expanded(value: torch.Tensor) -> bool:
    """Whether places of a tensor share memory, so that nothing can write into it."""
    sizes = zip(value.shape, value.stride(), strict=True)
    return any(size > 1 and stride == 0 for size, stride in sizes)


def _is_the_programs(named: Any) -> bool:
    return getattr(named, "__module__", "") == "__main__"


def _captured(it: Any) -> Iterator[Any]:
    """What a function has captured."""
    for cell in getattr(it, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:  # It is empty.
            continue
