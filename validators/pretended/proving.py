"""An arm of a proof in a process that pretends to have a GPU: the probes see what a compiler does.

The process runs one arm, and what is installed stays until it ends.
"""

from __future__ import annotations

from typing import Any

from torch._inductor import config

from validators.pretended import unseen
from validators.pretended.install import Pretence, install
from validators.pretended.invented import MEMORY
from validators.probes import cuda, inductor, observation

_ALLOCATED = ("aten::empty_strided", "aten::as_strided")
"""What generated code allocates and views past the dispatcher where there is a GPU."""

_pretences: list[Pretence] = []


def begin() -> None:
    """Pretend, before the arm's proof is loaded."""
    it = install()
    _pretences.append(it)
    # An arm has folders of its own, where no other run finds what a tie chose.
    config.force_disable_caches = False
    _probes(it.invented.refuse)


def invented() -> list[dict[str, str | int]]:
    """What the arm asked for that only a GPU has."""
    return [told for it in _pretences for told in it.invented.told()]


def _probes(refuse: unseen.Refuse) -> None:
    """Have the probes say of a GPU only what a compiler sees."""

    def memory() -> dict[str, int]:
        return unseen.Unmeasured(refuse, MEMORY, "memory")

    def cudagraphs(recorder: Any, counters: Any, _: object) -> Any:
        skips = counters.cudagraph_skips()
        return None if recorder.cuda is None and not skips else unseen.uncounted(skips, refuse)

    def dispatched(*args: Any) -> dict[str, Any]:
        return {name: count for name, count in real(*args).items() if name not in _ALLOCATED}

    real = inductor.dispatched
    cuda.memory = memory
    observation._cudagraphs = cudagraphs  # type: ignore[assignment]
    inductor.dispatched = dispatched  # type: ignore[assignment]
