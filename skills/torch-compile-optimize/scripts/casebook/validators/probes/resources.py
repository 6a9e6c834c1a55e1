"""What each Triton kernel uses of a GPU, read where Triton loads it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from torch._inductor import config

from validators.probes.arguments import Arguments
from validators.probes.observation import observe
from validators.probes.report import Fact, Report

_USED = ("registers", "spills", "shared")
_OWN_LAUNCHERS = ("use_static_cuda_launcher", "use_static_triton_launcher")
"""Settings with which Inductor loads kernels past Triton."""


def kernel_resources(
    target: Callable[..., Any],
    calls: Iterable[Sequence[Any] | Arguments],
    **options: Any,
) -> Report:
    """Observe `calls` under Inductor, and add what the kernels use that Triton loads meanwhile.

    `options` are `observe`'s; the default `backend` is Inductor. Facts, each by the names of
    kernels: "registers" of a thread, "spills" (words of 4 bytes of a thread that lie in local
    memory instead), "shared" (bytes of a block). Of several configurations of a kernel, they tell
    the least. Raises ImportError without Triton.
    """
    with _loaded() as kernels:
        report = observe(target, calls, **{"backend": "inductor", **options})
    facts: dict[str, Fact] = {used: _least(kernels, used) for used in _USED}
    return dataclasses.replace(report, facts={**report.facts, **facts})


def _least(kernels: list[dict[str, Any]], used: str) -> dict[str, Any]:
    """The lowest of a number, by the names of kernels."""
    numbers: dict[str, Any] = {}
    for kernel in kernels:
        name = kernel["name"]
        numbers[name] = min(kernel[used], numbers.get(name, kernel[used]))
    return numbers


@contextmanager
def _loaded() -> Iterator[list[dict[str, Any]]]:
    """The name of each kernel that is loaded within the block, and what it uses."""
    from triton.runtime.driver import driver

    kernels: list[dict[str, Any]] = []
    utilities = driver.active.utils
    load = utilities.load_binary

    def loading(name: str, binary: bytes, shared: int, device: int) -> Any:
        made = load(name, binary, shared, device)
        numbers = dict(zip(_USED, (*made[2:4], shared), strict=True))
        kernels.append({"name": name, **numbers})
        return made

    with ExitStack() as stack:
        stack.enter_context(patch.object(utilities, "load_binary", loading))
        for name in filter(lambda it: hasattr(config, it), _OWN_LAUNCHERS):
            stack.enter_context(config.patch(name, False))
        yield kernels
