"""Run the programs of silent errors, each in a process of its own."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from validators.diagnose.asking import Asking, Session
from validators.diagnose.masking import masked
from validators.diagnose.spec import Spec
from validators.environment import Environment
from validators.silent.programs import SilentError
from validators.silent.record import Computed

_WORKER = "validators.worker.silent.computed"


class Runner:
    """Runs programs in an interpreter; a context manager."""

    def __init__(self, env: Environment, root: Path, timeout: float) -> None:
        """Each program may take `timeout` seconds."""
        self._root = root
        self._session = Session(env, {}, timeout)
        self._cache = tempfile.TemporaryDirectory()

    def __enter__(self) -> Runner:
        """Start nothing before the first program."""
        self._session.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the workers, and delete what they compiled."""
        self._session.__exit__(*error)
        self._cache.cleanup()

    def run(self, program: SilentError) -> Computed:
        """What a program computes compiled, beside eager mode."""
        spec = Spec(str(program.file), "call", self._root, (), program.file)
        more = {"task": "silent", "module": _WORKER, "cache": self._cache.name}

        async def ask(asking: Asking) -> Computed:
            done = await asking.ask(spec, "silent", more=more)
            found = {"verdict": "failed", "says": done.failure} if done.failure else done.result
            return msgspec.convert(
                {**masked(found, self._root), "digest": program.digest}, Computed
            )

        return self._session.ask(ask)
