"""Run a plain program in each mode, each in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.plain.programs import Program
from validators.plain.record import PlainRecord, Seen

_WORKER = "validators.inspector.plain.compared"
_CACHE = "TORCHINDUCTOR_CACHE_DIR"


class Runner(Session):
    """Runs programs in an interpreter; a context manager."""

    def __init__(self, env: Environment, root: Path, timeout: float) -> None:
        """Each mode of a program may take `timeout` seconds."""
        super().__init__(env, {}, timeout)
        self._root = root

    def run(self, program: Program) -> PlainRecord:
        """What happens to a program in each mode that it has."""
        spec = Spec(str(program.file), "build", self._root, (), program.file)

        async def ask(asking: Asking) -> dict[str, Seen]:
            return {mode: await self._seen(asking, spec, mode) for mode in program.modes}

        return PlainRecord(program.digest, self.ask(ask))

    async def _seen(self, asking: Asking, spec: Spec, mode: str) -> Seen:
        more: dict[str, Any] = {"task": "plain", "module": _WORKER}
        if cache := os.environ.get(_CACHE):
            more["cache"] = cache
        done = await asking.ask(spec, mode, more=more)
        if done.failure:
            return Seen(failure=masked(done.failure, self._root))
        return msgspec.convert(masked(done.result, self._root), Seen)
