"""A stand-in for a GPU, for tests of what is read from one."""

from __future__ import annotations

import pytest
import torch


class FakeGpu:
    """Answers in place of `torch.cuda`; every event lasts 2.5 ms."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.synchronized = 0
        fakes = {
            "is_initialized": lambda: True,
            "reset_peak_memory_stats": lambda: None,
            "mem_get_info": lambda: (60, 100),
            "max_memory_allocated": lambda: 7,
            "max_memory_reserved": lambda: 9,
            "synchronize": self._synchronize,
            "Event": _Event,
        }
        for name, fake in fakes.items():
            monkeypatch.setattr(torch.cuda, name, fake)

    def _synchronize(self) -> None:
        self.synchronized += 1


class _Event:
    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing

    def record(self) -> None: ...

    def synchronize(self) -> None: ...

    def elapsed_time(self, _end: _Event) -> float:
        return 2.5
