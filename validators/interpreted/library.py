"""The math functions of a GPU's library, which Triton's interpreter lacks: those of torch's CPU."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch
import triton.language as tl
from torch._inductor.runtime import triton_helpers
from triton.runtime.interpreter import TensorHandle

_OTHERS: dict[str, Callable[..., Any]] = {
    "nearbyint": torch.round,
    "llrint": lambda x: torch.round(x).long(),
    "fast_tanhf": torch.tanh,
    "nextafterf": torch.nextafter,
}
"""What torch calls by another name."""
_DTYPES = {
    "bool": tl.int1,
    "int64": tl.int64,
    "float16": tl.float16,
    "float32": tl.float32,
    "float64": tl.float64,
}


def install() -> None:
    """Answer each call of a library function by the function of torch with that name.

    What only hardware answers raises.
    """
    triton_helpers.libdevice = _Library()
    # Which integer a NaN becomes is up to the hardware.
    warnings.filterwarnings("error", "invalid value encountered in cast", RuntimeWarning)


class _Library:
    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = _OTHERS[name] if name in _OTHERS else getattr(torch, name)
        return lambda *args: _tensor(function(*_values(args)).numpy())


def _values(args: Iterable[Any]) -> Iterator[torch.Tensor]:
    """The arguments as tensors; a number has the dtype of the blocks beside it."""
    arrays = [np.asarray(it.handle.data) if isinstance(it, tl.tensor) else it for it in args]
    dtype = next(it.dtype for it in arrays if isinstance(it, np.ndarray))
    for value in arrays:
        array = value if isinstance(value, np.ndarray) else np.asarray(value, dtype)
        yield torch.from_numpy(array)


def _tensor(made: Any) -> Any:
    dtype = _DTYPES[made.dtype.name]
    kind = tl.block_type(dtype, list(made.shape)) if made.ndim else dtype
    return tl.tensor(TensorHandle(made, dtype), kind)
