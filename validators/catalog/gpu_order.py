"""The cases that a GPU should decide first: `first_on_gpu.yaml` beside the catalog, in order."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from validators.catalog.case import Case
from validators.catalog.frontmatter import Text
from validators.catalog.page import InvalidPage, parse_fields, read_list
from validators.errors import Problem

FILE = "first_on_gpu.yaml"


class FirstCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A case, and why a GPU should decide it early."""

    case: Text
    why: Text


class _Order(Struct, frozen=True, forbid_unknown_fields=True):
    first: list[FirstCase]


@dataclass(frozen=True)
class GpuOrder:
    """The cases that a GPU decides before all others, in order."""

    path: Path
    first: tuple[FirstCase, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The cases' names."""
        return tuple(item.case for item in self.first)


def load_gpu_order(playbooks: Path) -> tuple[GpuOrder, list[Problem]]:
    """The order in the folder `playbooks`, and its defects; without a file the order is empty."""
    path = playbooks / FILE
    try:
        fields = parse_fields(path, read_list(path), _Order)
    except InvalidPage as error:
        return GpuOrder(path), error.problems
    except FileNotFoundError:
        return GpuOrder(path), []
    except OSError as error:
        return GpuOrder(path), [Problem(path, 0, f"cannot be read ({error.strerror}); fix it")]
    return GpuOrder(path, tuple(fields.first)), []


def unfit_for_gpu(
    order: GpuOrder, cases: Mapping[str, Case], names: Container[str] = ()
) -> list[Problem]:
    """A problem for each entry of `order` that a run on a GPU could not follow.

    `names` are those of all pages, readable or not.
    """
    problems, seen = [], set()
    for name in order.names:
        message = ""
        if name in seen:
            message = f"`first`: {name!r} appears twice; keep one"
        elif name not in cases:
            message = "" if name in names else f"`first`: no case is named {name!r}; fix the name"
        elif cases[name].retired or "cuda" not in cases[name].meta.devices:
            message = f"`first`: {name!r} is not decided on a GPU; remove it"
        seen.add(name)
        problems += [Problem(order.path, 0, message)] if message else []
    return problems
