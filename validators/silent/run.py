"""Run the programs of silent errors, each in a process of its own."""

from __future__ import annotations

from pathlib import Path

import msgspec

from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.interpreted import VARIABLES
from validators.silent.programs import SilentError
from validators.silent.record import Computed

_WORKER = "validators.inspector.silent.computed"
_INTERPRETED = "validators.interpreted.silent"
"""What runs a program for a GPU that is not there."""


class Runner(Session):
    """Runs programs in an interpreter; a context manager."""

    def __init__(self, env: Environment, root: Path, timeout: float) -> None:
        """Each program may take `timeout` seconds."""
        variables = {**env.variables, **(VARIABLES if env.board else {})}
        super().__init__(env, {}, timeout, variables)
        self._root = root
        self._module = _INTERPRETED if env.board else _WORKER

    def run(self, program: SilentError) -> Computed:
        """What a program computes compiled, beside eager mode."""
        spec = Spec(str(program.file), "call", self._root, (), program.file)
        more = {"task": "silent", "module": self._module}

        async def ask(asking: Asking) -> Computed:
            done = await asking.ask(spec, "silent", more=more)
            found = {"verdict": "failed", "says": done.failure} if done.failure else done.result
            return msgspec.convert(
                {**masked(found, self._root), "digest": program.digest}, Computed
            )

        return self.ask(ask)
