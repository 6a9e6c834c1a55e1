"""The environment of an interpreter on a device, or with a GPU that is not there."""

from __future__ import annotations

from dataclasses import replace

from validators.environment.fingerprint import COMPILED
from validators.environment.interpreter import Environment, describe
from validators.errors import CasebookError
from validators.files import cache_folder
from validators.pretended.boards import BOARDS, Board
from validators.pretended.libraries import NoLibraries, variables

DEVICES = ("cpu", "cuda", "xpu", "mps", "auto", *BOARDS)
"""Where arms run; an architecture stands for a GPU that they compile for, without one."""


def environment_on(python: str, device: str) -> Environment:
    """The environment of the interpreter at `python` on one of `DEVICES`.

    Raises:
        CasebookError: as `describe`, or the interpreter cannot compile for a GPU that is not there.
    """
    if device not in BOARDS:
        return describe(python, device)
    env, board = describe(python), BOARDS[device]
    return replace(
        env,
        fingerprint=replace(env.fingerprint, device=COMPILED, accelerator=board.target),
        gpu_memory=board.memory // 2**20,
        board=board.target,
        variables=_variables(board, env),
    )


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
