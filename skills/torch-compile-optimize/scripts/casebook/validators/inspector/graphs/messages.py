"""What exceptions say in full: a report of the probes leaves folders out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def telling(run: Callable[..., Any], messages: list[str]) -> Callable[..., Any]:
    """Return `run`, which adds to `messages` what an exception says."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return run(*args, **kwargs)
        except Exception as error:
            messages.append(str(error))
            raise

    return call
