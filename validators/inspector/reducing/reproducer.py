"""What a reproducer watches for; `repro` copies these functions into the scripts that it writes.

Each kind of failure is a function of one name. It compiles what `make()` returns, makes the calls
of `calls()` in order, and returns what fails, as texts. A call is a pair of arguments and keyword
arguments. With `loss`, a function of the output, each call ends with a backward pass.
This file imports only torch and the standard library.
"""

from __future__ import annotations

import copy
import json
import logging
import math
import traceback
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

CLOSE = 1e-3
"""Distances up to this, relative to what eager computes, are rounding."""


def crash(make: Any, calls: Any, loss: Any, options: dict[str, Any]) -> list[str]:
    """The exception that ends the compiled calls."""
    try:
        run = torch.compile(make(), **options)
        for args, kwargs in calls():
            one_call(run, args, kwargs, loss)
    except Exception as error:
        traceback.print_exc()
        return [f"{type(error).__module__}.{type(error).__qualname__}: {error}"]
    return []


def graph_break(make: Any, calls: Any, loss: Any, options: dict[str, Any]) -> list[str]:
    """The graph breaks of the compiled calls, in Dynamo's words."""
    return watched("dynamo_graph_break_reason", make, calls, loss, options)


def recompile(make: Any, calls: Any, loss: Any, options: dict[str, Any]) -> list[str]:
    """The guards that fail in the compiled calls."""
    found: list[str] = []
    for payload in watched("recompile_reasons", make, calls, loss, options):
        try:
            reasons = json.loads(payload)
        except ValueError:
            reasons = payload
        found += [reasons] if isinstance(reasons, str) else reasons
    return found


def wrong_results(make: Any, calls: Any, loss: Any, options: dict[str, Any]) -> list[str]:
    """The calls whose outputs, gradients or mutated inputs differ from eager's.

    All models start alike, and each call from the same seed. Eager mode is compared with itself,
    for its noise, and what is as close to float64's results as eager's is counts as rounding.
    """
    torch._inductor.config.fallback_random = True
    eager, again, compiled = make(), make(), make()
    exact = in_double(make())
    run = torch.compile(compiled, **options)
    found = []
    for number, inputs in enumerate(zip(calls(), calls(), calls(), calls(), strict=True)):
        expected = answer(eager, eager, inputs[0], loss)
        noise = gap(answer(again, again, inputs[1], loss), expected)
        actual = answer(run, compiled, inputs[2], loss)
        distance = gap(actual, expected) if kinds(actual) == kinds(expected) else math.inf
        close = distance <= max(CLOSE, 4 * noise)
        if close or (distance < math.inf and as_exact(exact, inputs[3], loss, actual, expected)):
            continue
        said = "in kind" if distance == math.inf else f"by {distance:.3g}"
        found.append(f"call {number}: compiled differs from eager {said}, eager by {noise:.3g}")
    return found


def fails_in_eager(make: Any, calls: Any, loss: Any) -> str:
    """The exception that the calls raise without compiling, or ""."""
    try:
        run = make()
        for args, kwargs in calls():
            one_call(run, args, kwargs, loss)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def one_call(run: Any, args: Any, kwargs: Any, loss: Any) -> Any:
    """Make one call from a fixed seed, with a backward pass if there is a loss."""
    torch.manual_seed(20)
    output = run(*args, **kwargs)
    if loss is not None:
        value = loss(output)
        if isinstance(value, torch.Tensor) and value.requires_grad:
            value.backward()
    return output


def total(output: Any) -> Any:
    """A loss that every element of the output enters with another weight."""
    value: Any = 0
    for it in tree_leaves(output):
        if isinstance(it, torch.Tensor) and it.requires_grad:
            weights = torch.linspace(0.5, 1.5, it.numel(), device=it.device).reshape(it.shape)
            value = value + (it.abs() * weights).sum()
    return value


def watched(name: str, make: Any, calls: Any, loss: Any, options: dict[str, Any]) -> list[str]:
    """What torch writes to its structured trace under `name`, during the compiled calls."""
    torch._logging.set_logs(graph_breaks=True)
    listener = Listener(name)
    loggers = [logging.getLogger(it) for it in LOGGERS]
    for it in loggers:
        it.addHandler(listener)
    try:
        run = torch.compile(make(), **options)
        for args, kwargs in calls():
            one_call(run, args, kwargs, loss)
    finally:
        for it in loggers:
            it.removeHandler(listener)
    return listener.found


# Releases before 2.6 write some graph breaks to the log only.
LOGGERS = (
    "torch.__trace",
    "torch._dynamo.symbolic_convert.__graph_breaks",
    "torch._dynamo.convert_frame.__graph_breaks",
)


class Listener(logging.Handler):
    """Keeps one kind of event."""

    def __init__(self, name: str) -> None:
        super().__init__(logging.DEBUG)
        self.event, self.found = name, list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record's text if it is of that kind."""
        metadata: dict[str, Any] = getattr(record, "metadata", {})
        if metadata.get("artifact", {}).get("name") == self.event:
            self.found.append(str(getattr(record, "payload", "")))
        elif record.name != LOGGERS[0] and self.event == "dynamo_graph_break_reason":
            self.found.append(record.getMessage())


def answer(run: Any, model: Any, call: Any, loss: Any) -> list[Any]:
    """The tensors of a call's output, of its inputs afterwards, and all gradients."""
    args, kwargs = call
    if isinstance(model, torch.nn.Module):
        model.zero_grad()
    output = one_call(run, args, kwargs, loss)
    inputs = [it for it in tree_leaves((args, kwargs)) if isinstance(it, torch.Tensor)]
    values = [*tree_leaves(output), *inputs, *(it.grad for it in inputs if it.is_leaf)]
    if isinstance(model, torch.nn.Module):
        values += [it.grad for it in model.parameters()]
    kept = [it for it in values if isinstance(it, (torch.Tensor, bool, int, float))]
    return [torch.as_tensor(it).detach().clone() for it in kept]


def gap(one: list[Any], other: list[Any]) -> float:
    """The largest difference relative to the largest magnitude; infinite if shapes differ."""
    if [it.shape for it in one] != [it.shape for it in other]:
        return math.inf
    worst = 0.0
    for a, b in zip(one, other, strict=True):
        kind = torch.complex128 if a.is_complex() or b.is_complex() else torch.float64
        a, b = a.to(kind), b.to(kind)
        same = (a == b) | (a.isnan() & b.isnan())
        apart = torch.where(same, 0.0, (a - b).abs()).nan_to_num(1e30, 1e30)
        largest = b.abs().nan_to_num(0.0, 0.0).max() if b.numel() else 0.0
        worst = max(worst, float(apart.max() / max(1.0, largest)) if a.numel() else 0.0)
    return worst


def kinds(found: list[Any]) -> list[tuple[Any, Any]]:
    """The shapes and dtypes."""
    return [(it.shape, it.dtype) for it in found]


def in_double(model: Any) -> Any:
    """The model in float64; None for a function."""
    return copy.deepcopy(model).double() if isinstance(model, torch.nn.Module) else None


def as_exact(exact: Any, call: Any, loss: Any, actual: list[Any], expected: list[Any]) -> bool:
    """Whether `actual` is about as close to the float64 model's answer as eager's `expected`."""
    if exact is None:
        return False

    def double(it: Any) -> Any:
        floats = isinstance(it, torch.Tensor) and it.is_floating_point()
        return it.detach().double().requires_grad_(it.requires_grad) if floats else it

    try:
        reference = answer(exact, exact, tree_map(double, call), loss)
    except Exception:
        return False
    return math.isfinite(gap(actual, expected)) and gap(actual, reference) <= 4 * gap(
        expected, reference
    )


KINDS: dict[str, Callable[..., list[str]]] = {
    "crash": crash,
    "wrong_results": wrong_results,
    "graph_break": graph_break,
    "recompile": recompile,
}
"""The kinds of failures, with what watches for each."""
