"""Everything that a process does before it compiles for a device that is not there."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch

from validators.pretended import clocks, cudagraphs, modules, questions, shapes, tensors
from validators.pretended.binaries import Binary
from validators.pretended.binaries import install as install_binaries
from validators.pretended.cudagraphs import Recordable
from validators.pretended.invented import Invented


@dataclass
class Pretence:
    """What is seen while torch compiles for the device."""

    invented: Invented = field(default_factory=Invented)
    binaries: list[Binary] = field(default_factory=list)
    recordable: list[Recordable] = field(default_factory=list)
    kept: list[object] = field(default_factory=list)


def install() -> Pretence:
    """Pretend that the board of this process's variables is there, until the process ends.

    Raises:
        RuntimeError: the process was started without the variables of `libraries`.
    """
    if not torch.cuda.is_available():
        raise RuntimeError("the CUDA runtime does not pretend; start with `libraries.variables`")
    it = Pretence()
    it.kept += tensors.install(it.invented)
    shapes.install()
    modules.install()
    install_binaries(it.invented, it.binaries)
    clocks.install(it.invented)
    cudagraphs.install(it.invented, it.recordable)
    questions.install(it.invented)
    return it
