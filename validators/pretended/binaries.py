"""Triton's driver: binaries are read where a GPU would load them, and launches do nothing."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import triton
import triton.backends
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.driver import CudaDriver
from triton.runtime.driver import driver

from validators.pretended.invented import CLOCK, VALUE, Invented

_TOOLS = Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
REGISTERS = 65536
"""Registers of a multiprocessor, the same on all boards."""


@dataclass(frozen=True)
class Binary:
    """A kernel for the target, as ptxas made it, for blocks of so many warps.

    Registers are per thread; `spills` counts words of 4 bytes that lie in local memory instead.
    `shared` is in bytes per block.
    """

    name: str
    warps: int
    registers: int
    spills: int
    shared: int


def install(invented: Invented, loaded: list[Binary]) -> None:
    """Make Triton compile for torch's device; `loaded` gets every binary."""
    made = _Driver(invented, loaded)
    driver._default = made
    driver.set_active(made)
    triton.backends.backends["nvidia"].driver.is_active = staticmethod(lambda: True)


class _Driver(CudaDriver):  # type: ignore[misc]
    """What Triton asks of the board; the base class would load CUDA's driver."""

    def __init__(self, invented: Invented, loaded: list[Binary]) -> None:
        board = torch.cuda.get_device_properties(0)
        capability = board.major, board.minor
        self._target = GPUTarget("cuda", board.major * 10 + board.minor, board.warp_size)
        self.utils, self._invented = _Utilities(invented, loaded), invented
        self.launcher_cls = self.utils.launcher
        self.get_current_device = lambda: 0
        self.set_current_device = lambda device: None
        self.get_current_stream = lambda device=None: 0
        self.get_device_capability = lambda device=None: capability

    def get_current_target(self) -> GPUTarget:
        return self._target

    @staticmethod
    def is_active() -> bool:
        return True

    def get_benchmarker(self) -> Any:
        """What times the configurations of a user's kernel: they tie."""

        def tie(call: Any, *, quantiles: Any = None, **_: Any) -> Any:
            self._invented.note(CLOCK, "the configuration of a user's kernel")
            return [1.0] * len(quantiles) if quantiles else 1.0

        return tie


class _Utilities:
    """What Triton's driver does with the device itself."""

    def __init__(self, invented: Invented, loaded: list[Binary]) -> None:
        self._invented, self._loaded, self._warps = invented, loaded, 0

    def launcher(self, source: Any, metadata: Any) -> Any:
        """What launches a kernel, which Triton asks for right before it loads the binary."""
        self._warps = metadata.num_warps
        # The tensors have no elements that a kernel could change.
        return lambda *_, **__: None

    def get_device_properties(self, device: int) -> dict[str, int]:
        board = torch.cuda.get_device_properties(device)
        return {
            "max_shared_mem": board.shared_memory_per_block_optin,
            "multiprocessor_count": board.multi_processor_count,
            "max_num_regs": REGISTERS,
            "warpSize": board.warp_size,
        }

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> tuple[int, ...]:
        """Module, function, registers, spills and the most threads, as the real one returns."""
        used = resources(kernel)
        # The driver counts as local memory what the stack takes.
        words = max(used.get("STACK", 0), used.get("LOCAL", 0)) // 4
        self._loaded.append(Binary(name, self._warps, used["REG"], words, shared))
        return 1, 1, used["REG"], words, 1024

    def unload_module(self, module: int) -> None:
        """Nothing was loaded."""

    def __getattr__(self, name: str) -> Any:
        self._invented.refuse(VALUE, f"Triton's driver utility {name}")


def resources(binary: bytes) -> dict[str, int]:
    """What a binary uses (REG, STACK, LOCAL...), read by the cuobjdump of Triton's package."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(binary)
        file.flush()
        command = [str(_TOOLS / "cuobjdump"), "--dump-resource-usage", file.name]
        said = subprocess.run(command, capture_output=True, text=True).stdout
    for line in said.splitlines():
        if "REG:" in line:
            return {key: int(value) for key, value in re.findall(r"(\w+):(\d+)", line)}
    raise RuntimeError(f"cuobjdump names no registers: {said.strip()}")
