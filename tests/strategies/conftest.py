"""What the tests of `safe_compile` share: torch without history, and a cache of their own."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch._inductor.config
from torch._dynamo.utils import counters

from strategies.safe_compile import CompileFallbackWarning


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Inductor writes: a compiled C++ kernel costs seconds, so tests share those."""
    return tmp_path_factory.mktemp("inductor")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[None]:
    """Empty caches of graphs in memory and on disk, for this process and its children."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(cache))
    for graphs in ("fxgraph", "aotautograd"):
        shutil.rmtree(cache / graphs, ignore_errors=True)
    # Compiling C++ headers in advance pays for many kernels, not for one.
    known = hasattr(torch._inductor.config, "cpp_cache_precompile_headers")
    config = {"cpp_cache_precompile_headers": False} if known else {}
    torch._dynamo.reset()
    counters.clear()
    torch.manual_seed(0)
    with torch._inductor.config.patch(config):
        yield
    torch._dynamo.reset()


@pytest.fixture
def reasons() -> Callable[[Callable[[], Any]], list[str]]:
    """Call a function; return the messages of all its fallbacks."""

    def call(function: Callable[[], Any]) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
        found = [it for it in caught if issubclass(it.category, CompileFallbackWarning)]
        assert all(it.filename == function.__code__.co_filename for it in found)
        return [str(it.message) for it in found]

    return call
