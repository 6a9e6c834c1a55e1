"""Compile targets for a GPU that is not there, each in an interpreter of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from validators.compiled.results import Compiled
from validators.compiled.undecided import undecided
from validators.diagnose.masking.mask import masked
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.pretended.boards import BOARDS

_MODULE = "validators.pretended.kernels"
"""What answers in the interpreter that pretends."""


@dataclass(frozen=True)
class Order:
    """What to compile with: torch.compile's options, and the seconds for each target."""

    options: dict[str, Any]
    timeout: float


def compiled_for(order: Order, env: Environment, specs: Sequence[Spec]) -> list[Compiled]:
    """What each target is compiled to for the board of `env`.

    One after the other, for a compiler fills a processor.

    Raises:
        CasebookError: a target cannot be used.
    """

    async def ask(asking: Asking) -> list[Compiled]:
        return [await _compiled(asking, env.board, spec) for spec in specs]

    with Session(env, order.options, order.timeout, env.variables) as session:
        return session.ask(ask)


async def _compiled(asking: Asking, arch: str, spec: Spec) -> Compiled:
    done = await asking.ask(spec, "", more={"task": "kernels", "module": _MODULE})
    if done.failure:
        said = done.output.strip().splitlines()
        last = f" ({said[-1]})" if said else ""
        raise CasebookError(f"{spec}: compiling it {masked(done.failure + last, spec.folder)}")
    known = {"target": str(spec), "arch": arch, "board": BOARDS[arch].name}
    told = masked({**known, **done.result}, spec.folder)
    found: Compiled = msgspec.convert(told, Compiled)
    found.undecided = list(undecided(found))
    return found
