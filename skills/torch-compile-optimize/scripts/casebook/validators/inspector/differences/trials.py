"""Trials: a target's calls, compiled in another way each time, beside eager mode's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from validators.inspector.differences.comparison import compared_as_drawn
from validators.inspector.differences.window import Window
from validators.inspector.loading.target import Target, compiled, for_backend

Found = dict[str, Any]

_SHARE = 0.75
"""The part of the time limit that trials may begin in."""


class Late(Exception):
    """No time is left for another trial."""


class Trials:
    """Compiles a target in several ways, and compares its calls with eager mode's."""

    def __init__(self, target: Target, options: Found, seconds: float) -> None:
        self._target, self._options = target, {"backend": "inductor", **options}
        self._end = time.monotonic() + _SHARE * seconds

    def go_on(self) -> None:
        """Raise Late if no time is left."""
        if time.monotonic() > self._end:
            raise Late

    def compared(
        self, backend: Window | str = "inductor", before: Callable[[Target], object] | None = None
    ) -> Found:
        """How the calls compare, gradients included. `before` changes what is compiled.

        Raises:
            Late: no time is left.
            Exception: eager mode raises for copies of the calls.
        """
        self.go_on()
        options = self._options if backend == "inductor" else for_backend(backend, self._options)

        def compile_one(target: Target, options: Found) -> Callable[..., Any]:
            if before:
                before(target)
            return compiled(target.run, options)

        return compared_as_drawn(self._target.again(), options, compile_one)
