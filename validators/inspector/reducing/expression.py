"""Python that makes a value: tensors from a seed, modules from the arguments they were built with.

The text is what a reproducer holds in place of a user's data.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

_EXACT = 16
"""Integer tensors with at most so many elements are written out."""
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_Built = dict[int, tuple[Any, tuple[Any, ...], dict[str, Any]]]


class Inexpressible(Exception):
    """No Python text makes this value; the message names its type."""


class Writer:
    """Writes values as Python, and collects the names that the text needs.

    `names` are pairs of a module and a name in it.
    """

    def __init__(self, built: _Built) -> None:
        self.built = built
        self.names: set[tuple[str, str]] = set()

    def text(self, value: Any) -> str:
        """Python that makes a value like this one.

        Raises:
            Inexpressible: there is none.
        """
        if isinstance(value, torch.Tensor):
            return _tensor(value)
        if isinstance(value, (torch.dtype, torch.device)):
            return str(value) if isinstance(value, torch.dtype) else f"torch.{value!r}"
        if type(value) in _PLAIN:
            return repr(value) if value == value else 'float("nan")'
        if type(value) in (list, tuple):
            return self._sequence(value)
        if type(value) is dict:
            pairs = (f"{self.text(key)}: {self.text(it)}" for key, it in value.items())
            return f"{{{', '.join(pairs)}}}"
        if isinstance(value, torch.Size):
            return f"torch.Size({list(value)})"
        if id(value) in self.built or isinstance(value, torch.nn.Module):
            _, args, kwargs = self.built.get(id(value), (value, (), {}))
            return self.call(type(value), args, kwargs)
        return self._object(value)

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """A call with these arguments."""
        given = [self.text(it) for it in args]
        given += [f"{name}={self.text(it)}" for name, it in kwargs.items()]
        return f"{self.name(function)}({', '.join(given)})"

    def name(self, value: Any) -> str:
        """The name of a class or function, noted as needed."""
        module, name = getattr(value, "__module__", ""), getattr(value, "__qualname__", "")
        if module == "builtins":
            return str(name)
        if module.startswith("torch.nn.modules.") and getattr(torch.nn, name, None) is value:
            return f"torch.nn.{name}"
        if not name.isidentifier() or getattr(sys.modules.get(module), name, None) is not value:
            raise Inexpressible(name or type(value).__name__)
        self.names.add((module, name))
        return str(name)

    def _sequence(self, value: Any) -> str:
        inner = ", ".join(self.text(it) for it in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"

    def _object(self, value: Any) -> str:
        if isinstance(value, functools.partial):
            self.names.add(("functools", "partial"))
            given = (value.func, *value.args)
            return f"partial{self.call(dict, given, value.keywords).removeprefix('dict')}"
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self.call(type(value), (), _changed_fields(value))
        if hasattr(value, "to_diff_dict"):  # a configuration of transformers
            return self._configuration(value)
        if isinstance(value, type) or callable(value):
            return self.name(value)
        raise Inexpressible(type(value).__name__)

    def _configuration(self, value: Any) -> str:
        said = value.to_diff_dict()
        for name in ("transformers_version", "model_type", "architectures"):
            said.pop(name, None)
        text = self.call(type(value), (), said)
        chosen = getattr(value, "_attn_implementation", None)
        return f"{text[:-1]}, attn_implementation={chosen!r})" if chosen else text


@contextmanager
def building(classes: set[type]) -> Iterator[_Built]:
    """Note the arguments that instances of `classes` are built with, by the id of the instance."""
    built: _Built = {}
    own = {it: it.__dict__["__init__"] for it in classes if "__init__" in it.__dict__}

    def noting(init: Any) -> Any:
        @functools.wraps(init)
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
            # A class's __init__ runs that of its base: the outermost has the arguments.
            built.setdefault(id(self), (self, args, kwargs))
            init(self, *args, **kwargs)

        return wrapper

    for owner, init in own.items():
        owner.__init__ = noting(init)  # type: ignore[misc]
    try:
        yield built
    finally:
        for owner, init in own.items():
            owner.__init__ = init  # type: ignore[misc]


def _changed_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that differ from their defaults."""
    found = {}
    for it in dataclasses.fields(value):
        default = it.default
        if it.default_factory is not dataclasses.MISSING:
            default = it.default_factory()
        given = getattr(value, it.name)
        if it.init and not (type(given) is type(default) and bool(given == default)):
            found[it.name] = given
    return found


def _tensor(value: torch.Tensor) -> str:
    if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.layout != torch.strided:
        raise Inexpressible(type(value).__name__)
    shape, stride = tuple(value.shape), value.stride()
    plain = value.is_contiguous()
    span = 1 + sum((n - 1) * step for n, step in zip(shape, stride, strict=True))
    size: tuple[int, ...] = shape if plain else ((span,) if value.numel() else (0,))
    text = _values(value, size, plain)
    if value.device.type != "cpu":
        text += f".to({str(value.device)!r})"
    if not plain:
        text += f".as_strided({shape}, {stride})"
    if value.requires_grad:
        text += ".requires_grad_()"
    return text


def _values(value: torch.Tensor, size: tuple[int, ...], plain: bool) -> str:
    dtype = value.dtype
    exact = not (dtype.is_floating_point or dtype.is_complex)
    if exact and plain and value.numel() <= _EXACT:
        kind = "" if dtype in (torch.int64, torch.bool) and value.numel() else f", dtype={dtype}"
        return f"torch.tensor({value.tolist()}{kind})"
    if value.numel() and bool((value == value.flatten()[0]).all()):
        return f"torch.full({size}, {_number(value.flatten()[0])}, dtype={dtype})"
    if dtype == torch.bool:
        return f"(torch.rand({size}) > 0.5)"
    if exact:
        low, high = int(value.min()), int(value.max()) + 1
        kind = "" if dtype == torch.int64 else f", dtype={dtype}"
        return f"torch.randint({low}, {high}, {size}{kind})"
    text = f"torch.randn({size})" if value.numel() else f"torch.empty({size})"
    return text if dtype == torch.float32 else f"{text}.to({dtype})"


def _number(value: torch.Tensor) -> str:
    number = value.item()
    return f'float("{number}")' if str(number) in ("nan", "inf", "-inf") else repr(number)
