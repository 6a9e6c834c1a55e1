"""Compile targets for a GPU that is not there, each in an interpreter of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from validators.compiled.results import Compiled
from validators.compiled.undecided import undecided
from validators.diagnose.asking import Asking, Session
from validators.diagnose.masking import masked
from validators.diagnose.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.files import cache_folder
from validators.pretended.boards import Board
from validators.pretended.libraries import NoLibraries, variables

_MODULE = "validators.pretended.kernels"
"""What answers in the interpreter that pretends."""


@dataclass(frozen=True)
class Order:
    """What to compile: the board, torch.compile's options, and the seconds for each target."""

    board: Board
    options: dict[str, Any]
    timeout: float


def compiled_for(order: Order, env: Environment, specs: Sequence[Spec]) -> list[Compiled]:
    """What each target is compiled to; one after the other, for a compiler fills a processor.

    Raises:
        CasebookError: the interpreter cannot compile for a GPU, or a target cannot be used.
    """
    pretended = _variables(order.board, env)

    async def ask(asking: Asking) -> list[Compiled]:
        return [await _compiled(asking, order.board, spec) for spec in specs]

    with Session(env, order.options, order.timeout, pretended) as session:
        return session.ask(ask)


async def _compiled(asking: Asking, board: Board, spec: Spec) -> Compiled:
    done = await asking.ask(spec, "", more={"task": "kernels", "module": _MODULE})
    if done.failure:
        said = done.output.strip().splitlines()
        last = f" ({said[-1]})" if said else ""
        raise CasebookError(f"{spec}: compiling it {masked(done.failure + last, spec.folder)}")
    known = {"target": str(spec), "arch": board.target, "board": board.name}
    told = masked({**known, **done.result}, spec.folder)
    found: Compiled = msgspec.convert(told, Compiled)
    found.undecided = list(undecided(found))
    return found


def _variables(board: Board, env: Environment) -> dict[str, str]:
    """The variables of an interpreter that pretends to have the board.

    Raises:
        CasebookError: it has no CUDA build of torch, no Triton, no ptxas, or no C compiler.
    """
    python, tools = env.python, env.packages / "triton" / "backends" / "nvidia" / "bin"
    if not env.fingerprint.cuda:
        raise CasebookError(
            f"{python}: its torch is a CPU build; name an interpreter with a CUDA build in "
            "--python (`pip install torch` on Linux), which needs no GPU"
        )
    if "triton" not in env.modules:
        raise CasebookError(f"{python}: has no Triton; run `{python} -m pip install triton`")
    if not (tools / "ptxas").is_file():
        raise CasebookError(
            f"{python}: its Triton has no ptxas, the assembler for GPUs; "
            f"run `{python} -m pip install --force-reinstall triton`"
        )
    try:
        return variables(board, env.packages, cache_folder())
    except NoLibraries as why:
        raise CasebookError(f"{python}: {why}") from None
