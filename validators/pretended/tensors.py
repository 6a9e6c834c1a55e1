"""CUDA tensors without elements: fake tensors of one mode, which is never entered.

A mode that is entered would hide from Dynamo what it sees where there is a GPU. Tensors on the CPU
stay real.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
)
from torch.utils._mode_utils import no_dispatch

from validators.pretended.invented import VALUE, Invented

Function = Callable[..., Any]
_DEVICE = torch.device("cuda:0")
_MOVES = {
    torch.ops.aten._to_copy.default,
    torch.ops.prims.device_put.default,
    torch.ops.aten.to.dtype_layout,
    torch.ops.aten.to.device,
}
"""What copies a tensor to another device."""


def install(invented: Invented) -> list[object]:
    """Make every CUDA tensor a fake one; what is returned has to stay alive."""
    warnings.filterwarnings("ignore", message="Accessing the data pointer of FakeTensor")
    # torch's own way of tracing for a device that is not there.
    FakeTensorMode.avoid_device_init = property(lambda self: True)
    if hasattr(fake_tensor, "init_gpu_context"):
        fake_tensor.init_gpu_context = lambda *_: None
    torch._C._set_only_lift_cpu_tensors(True)
    torch.cuda.init()
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    kept = [mode, _factories(mode)]
    _generated_code()
    _random_numbers()
    FakeTensorMode.dispatch = _dispatch(FakeTensorMode.dispatch, mode, invented)
    FakeTensor.numpy = _numpy(invented)
    return kept


def _factories(mode: FakeTensorMode) -> torch.library.Library:
    """The two kernels that all factories of CUDA tensors end in."""

    def empty(
        size: Any,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        pin_memory: Any = None,
        memory_format: Any = None,
    ) -> FakeTensor:
        meta = torch.ops.aten.empty.memory_format(
            size, dtype=dtype, layout=layout, device="meta", memory_format=memory_format
        )
        return FakeTensor(mode, meta, _DEVICE)

    def empty_strided(
        size: Any,
        stride: Any,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        pin_memory: Any = None,
    ) -> FakeTensor:
        meta = torch.ops.aten.empty_strided.default(
            size, stride, dtype=dtype, layout=layout, device="meta"
        )
        return FakeTensor(mode, meta, _DEVICE)

    library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, kernel in (
            ("empty.memory_format", empty),
            ("empty_strided", empty_strided),
            # torch gets here only where it switches fake tensors off to compute with constants.
            ("copy_", lambda self, source, non_blocking=False: self),
        ):
            library.impl(name, kernel, "CUDA", allow_override=True)
    return library


def _generated_code() -> None:
    """Inductor's code allocates and views past the dispatcher."""
    guards = torch._C._dynamo.guards
    real = guards._reinterpret_tensor

    def empty_strided_cuda(size: Any, stride: Any, dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(size, stride, dtype=dtype, device=_DEVICE)

    def reinterpret_tensor(it: torch.Tensor, size: Any, stride: Any, offset: int = 0) -> Any:
        if isinstance(it, FakeTensor):
            return it.as_strided(size, stride, it.storage_offset() + offset)
        return real(it, size, stride, offset)

    guards._empty_strided_cuda = empty_strided_cuda
    guards._reinterpret_tensor = reinterpret_tensor


def _random_numbers() -> None:
    """A generator of the CPU keeps the state of the device's."""
    generator = torch.Generator()
    torch.cuda.default_generators = (generator,)
    torch.cuda.get_rng_state = lambda *_, **__: generator.get_state()
    torch.cuda.set_rng_state = lambda *_, **__: None
    torch.cuda.manual_seed = torch.cuda.manual_seed_all = lambda seed: None


def _dispatch(real: Function, ours: FakeTensorMode, invented: Invented) -> Function:
    """Have fake tensors keep the values of constants, and note who asks for others."""

    def dispatch(
        self: FakeTensorMode, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func in _MOVES and args and self.is_our_fake(args[0]) and args[0].constant is not None:
            return _moved_constant(real, self, func, types, args, kwargs)
        try:
            return real(self, func, types, args, kwargs)
        except (DataDependentOutputException, DynamicOutputShapeException):
            # Other modes are those of torch's tracing, which knows how to go on without.
            if self is ours:
                invented.note(VALUE, str(func))
            raise

    return dispatch


def _numpy(invented: Invented) -> Function:
    """Note who asks for all elements, which torch refuses in words that name no value."""

    def numpy(self: FakeTensor, *_: Any, **__: Any) -> Any:
        invented.refuse(VALUE, "Tensor.numpy")

    return numpy


def _moved_constant(
    real: Function, self: FakeTensorMode, func: Any, types: Any, args: Any, kwargs: Any
) -> Any:
    """A constant on another device, with its value, as it has where there is a device."""
    constant, args[0].constant = args[0].constant, None
    try:
        out = real(self, func, types, args, kwargs)
    finally:
        args[0].constant = constant
    if isinstance(out, FakeTensor) and out.device.type == "cuda" and out is not args[0]:
        with no_dispatch():
            out.constant = constant.to(out.dtype)
    return out
