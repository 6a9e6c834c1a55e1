"""A short program that shows what some ops compute when they are compiled, for a bug report."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import torch

_LONGEST = 40
"""Lines of a function beyond which nobody reads the program."""
_FREED = re.compile(r";  [\w = ]+ = None$", re.MULTILINE)
_RENAMED = re.compile(r"^    (\w+) = (\w+)\n", re.MULTILINE)
_SECONDS = 120.0
_TEMPLATE = """\
import torch


{function}


def call(run):
    torch.manual_seed(0)
    given = [
{inputs}
    ]
    made = run(*given)
{backward}    return [*made, *given{gradients}]


eager, compiled = call(f), call(torch.compile(f, backend="{backend}"))
for one, other in zip(eager, compiled):
    assert one.shape == other.shape and one.dtype == other.dtype, (one, other)
    assert torch.allclose(one, other, rtol=1e-3, atol=1e-3, equal_nan=True), (one, other)
"""


_BACKWARD = """\
    learns = [it for it in made if it.requires_grad]
    torch.autograd.backward(learns, [torch.ones_like(it) for it in learns])
"""
_GRADIENTS = ", *(it.grad for it in given if it.grad is not None)"
FILLS = ('float("nan")', 'float("inf")')
"""Numbers that tensors may hold throughout in place of random ones."""


def program_of(part: torch.fx.GraphModule, backend: str, fill: str | None = None) -> str:
    """A program that compares a part of a graph with eager mode; "" if it would show nothing.

    Its tensors hold random numbers, or `fill` throughout, and settings of torch are not in it. So
    another process runs it, and it is kept if an assertion fails.
    """
    function = _function(part)
    try:
        inputs = [f"        {it}," for it in _inputs(part, fill)]
    except TypeError:
        return ""
    if function.count("\n") > _LONGEST:
        return ""
    learns = any(it.endswith("requires_grad_(),") for it in inputs)
    text = _TEMPLATE.format(
        function=function,
        inputs="\n".join(inputs),
        backward=_BACKWARD if learns else "",
        gradients=_GRADIENTS if learns else "",
        backend=backend,
    )
    try:
        ran = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return text if ran.returncode == 1 and "\nAssertionError" in ran.stderr else ""


def _function(part: torch.fx.GraphModule) -> str:
    """The part as a function `f`."""
    code = _FREED.sub("", part.code.strip())
    head, _, body = code.partition("\n")
    names = [str(it.target) for it in part.graph.find_nodes(op="placeholder")]
    # Dynamo gives each input another name first.
    short = {long: name for name, long in _RENAMED.findall(body) if long in names}
    body = _RENAMED.sub(lambda it: "" if it[2] in short else it[0], body)
    body = re.sub(r"^(    return )(?!\()(.+)$", r"\1(\2,)", body, flags=re.MULTILINE)
    assert head.startswith("def forward(self")
    return f"def f({', '.join(short.get(it, it) for it in names)}):\n{body}"


def _inputs(part: torch.fx.GraphModule, fill: str | None) -> Iterator[str]:
    """What makes each input of a part anew, of random numbers or filled with one.

    Raises:
        TypeError: it has an input that is no tensor with sizes that are known.
    """
    for node in part.graph.find_nodes(op="placeholder"):
        value = node.meta.get("example_value")
        if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
            raise TypeError(f"{node.name} is no tensor")
        sizes, strides = tuple(map(_number, value.shape)), tuple(map(_number, value.stride()))
        grad = ".requires_grad_()" if value.requires_grad else ""
        yield _made(value, sizes, strides, fill) + grad


def _number(size: Any) -> int:
    """A size that is a number, also of what Dynamo made a symbol."""
    return int(size if isinstance(size, int) else size.node.require_hint())


def _made(
    value: torch.Tensor, sizes: tuple[int, ...], strides: tuple[int, ...], fill: str | None
) -> str:
    elements = f"device={str(value.device)!r}" if value.device.type != "cpu" else ""
    if value.is_floating_point() or value.is_complex():
        dtype = "" if value.dtype == torch.float32 else f"dtype={value.dtype}"
        options = "".join(f", {it}" for it in (dtype, elements) if it)
        if math.prod(sizes) and strides != _contiguous(sizes):
            filled = f"fill_({fill})" if fill else "normal_()"
            return f"torch.empty_strided({sizes}, {strides}{options}).{filled}"
        if fill:
            return f"torch.full({sizes}, {fill}{options})"
        return f"torch.randn({sizes}{options})"
    options = "".join(f", {it}" for it in (f"dtype={value.dtype}", elements) if it)
    return f"torch.zeros({sizes}{options})"


def _contiguous(sizes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(sizes[n + 1 :]) for n in range(len(sizes)))
