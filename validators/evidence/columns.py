"""The columns of evidence, in the order in which the site shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from validators.environment.column_name import by_release
from validators.environment.fingerprint import COMPILED
from validators.errors import CasebookError
from validators.evidence.status import Device, device_of


@dataclass(frozen=True)
class Column:
    """One environment column, such as `torch-2.13.0-cpu`."""

    name: str
    torch: str
    accelerator: str

    @property
    def device(self) -> Device:
        """What it is of: a torch device type, or "compiled" if nothing ran there."""
        return device_of(self.name or f"-{self.accelerator}")

    @property
    def on(self) -> str:
        """The device for readers: "CPU", "H200", or "compiled for sm_90, never run"."""
        if self.device == "compiled":
            arch = self.accelerator.removesuffix(f"-{COMPILED}").replace("sm", "sm_")
            return f"compiled for {arch}, never run"
        return self.accelerator.removesuffix(f"-{self.device}").upper()

    @property
    def place(self) -> str:
        """Release and device, such as "2.13.0 (CPU)"."""
        return f"{self.torch} ({self.on})"

    @property
    def label(self) -> str:
        """The column for readers, such as "torch 2.13.0 (CPU)"."""
        return f"torch {self.place}"


def column(name: str) -> Column:
    """Read a column's name.

    Raises:
        CasebookError: it is not `torch-VERSION-DEVICE`.
    """
    package, _, rest = name.partition("-")
    torch, _, accelerator = rest.partition("-")
    try:
        Version(torch)
    except InvalidVersion:
        package = ""
    if package != "torch" or not accelerator:
        message = f"evidence names the column {name!r}; call it torch-VERSION-DEVICE"
        raise CasebookError(message)
    return Column(name, torch, accelerator)


def in_order(names: Iterable[str]) -> list[Column]:
    """The columns by torch release; within a release, CPU first."""
    return sorted(map(column, set(names)), key=lambda it: by_release(it.name))


def releases(columns: Iterable[Column]) -> dict[str, list[str]]:
    """The releases of torch by device, such as {"CPU": ["2.11.0", "2.13.0"]}."""
    found: dict[str, list[str]] = {}
    for it in columns:
        found.setdefault(it.on, []).append(it.torch)
    return found


def listed(columns: Iterable[Column]) -> str:
    """Several columns for readers, such as "2.11.0, 2.13.0 (CPU); 2.13.0 (H200)"."""
    return "; ".join(f"{', '.join(names)} ({on})" for on, names in releases(columns).items())
