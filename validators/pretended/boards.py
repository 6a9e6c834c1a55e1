"""What torch, Inductor and Triton ask of a board: facts that makers publish.

Limits per multiprocessor are those of the CUDA programming guide, table "Technical specifications
per compute capability"; the rest is in NVIDIA's architecture whitepapers and data sheets.
"""

from __future__ import annotations

from dataclasses import dataclass

VARIABLE = "CASEBOOK_BOARD"
"""The variable that tells the pretended CUDA runtime its board."""


@dataclass(frozen=True)
class Board:
    """One board of an architecture; `arch` is 90 for compute capability 9.0. Sizes are in bytes.

    `shared_opt_in` is the most shared memory of one block.
    """

    arch: int
    name: str
    multiprocessors: int
    memory: int
    l2: int
    shared_opt_in: int
    shared: int
    threads: int
    bus_bits: int
    blocks: int

    @property
    def target(self) -> str:
        """The architecture as compilers name it."""
        return f"sm_{self.arch}"

    def variable(self) -> str:
        """All facts as the C code reads them: numbers, and the name at the end."""
        facts = (
            self.arch,
            self.multiprocessors,
            self.memory,
            self.l2,
            self.shared_opt_in,
            self.shared,
            self.threads,
            self.bus_bits,
            self.blocks,
        )
        return f"{' '.join(map(str, facts))} {self.name}"


_KiB, _MiB, _GiB = 2**10, 2**20, 2**30
BOARDS = {
    board.target: board
    for board in (
        Board(
            arch=80,
            name="NVIDIA A100-SXM4-80GB",
            multiprocessors=108,
            memory=80 * _GiB,
            l2=40 * _MiB,
            shared_opt_in=163 * _KiB,
            shared=164 * _KiB,
            threads=2048,
            bus_bits=5120,
            blocks=32,
        ),
        Board(
            arch=90,
            name="NVIDIA H100 80GB HBM3",
            multiprocessors=132,
            memory=80 * _GiB,
            l2=50 * _MiB,
            shared_opt_in=227 * _KiB,
            shared=228 * _KiB,
            threads=2048,
            bus_bits=5120,
            blocks=32,
        ),
        Board(
            arch=100,
            name="NVIDIA B200",
            multiprocessors=148,
            memory=180 * _GiB,
            l2=126 * _MiB,
            shared_opt_in=227 * _KiB,
            shared=228 * _KiB,
            threads=2048,
            bus_bits=8192,
            blocks=32,
        ),
    )
}
"""The board that stands for each architecture."""
