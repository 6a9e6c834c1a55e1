"""What calls compute with the very objects that a factory made: an object is not its copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.target import Target
from validators.worker.user_code import seed

_FAR = 1e-2
"""Rounding takes no result so far, relative to it."""

Values = list[Any]
"""The tensors and numbers of a call's result and arguments."""


def computed(target: Target, run: Callable[..., Any]) -> list[Values]:
    """What each call of a target computes, and makes of its arguments."""
    made = []
    for number, item in enumerate(target.calls):
        seed(number)
        leaves = pytree.tree_leaves((run(*item.args, **item.kwargs), item.args, item.kwargs))
        values = (leaf for leaf in leaves if isinstance(leaf, torch.Tensor | int | float | complex))
        made.append([v.detach().clone() if isinstance(v, torch.Tensor) else v for v in values])
    return made


def difference(made: list[Values], expected: list[Values]) -> dict[str, Any]:
    """The first "call" that is far from what is expected, {} if none is; "says" how far it is."""
    for number, (one, other) in enumerate(zip(made, expected, strict=True)):
        try:
            torch.testing.assert_close(one, other, rtol=_FAR, atol=_FAR, equal_nan=True)
        except AssertionError as error:
            said = str(error).splitlines()[0]
            return {"call": number, "part": "the output or an argument", "says": said}
    return {}
