"""The engines by name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from validators.cluster.engine import Engine, Local

ENGINES = ("local", "ray", "slurm")


@contextlib.contextmanager
def opened(name: str, catalog: Path, shared: Path, jobs: int | None) -> Iterator[Engine]:
    """The engine of a name for the block; `jobs` at a time, if not None.

    `shared` is a folder that the nodes of a cluster see, too.

    Raises:
        CasebookError: it is not installed, or cannot be reached.
    """
    if name == "ray":
        from validators.cluster.ray_engine import ray_engine

        with ray_engine(catalog, jobs) as engine:
            yield engine
    elif name == "slurm":
        from validators.cluster.slurm_engine import slurm_engine

        with slurm_engine(shared) as engine:
            yield engine
    else:
        yield Local()
