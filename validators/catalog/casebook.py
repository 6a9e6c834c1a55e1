"""What the casebook says of itself: `casebook.yaml` beside the catalog."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from validators.catalog.frontmatter import Slug, Text
from validators.catalog.page import InvalidPage, line_of, parse_fields, read_list
from validators.errors import Problem

FILE = "casebook.yaml"
Line = Annotated[str, Meta(pattern=r"^.*\S.*$(?!\n)")]
Release = Annotated[str, Meta(pattern=r"^[0-9]+(?:\.[0-9]+)*$(?!\n)")]
_OURS = Path(__file__).resolve().parents[2]


class Way(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way from the site's home to a guide: what visitors want, the guide, and a sentence."""

    title: Line
    guide: Line
    text: Line


class Casebook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The casebook's title, what it is `about`, and its areas in their order.

    `about` is shown under the title; `description` is one sentence for search engines and agents.
    In both, backticks enclose code. `ways` lead from the site's home to guides. `bisect` looks for
    changes between the `releases` of torch.

    A log is about torch.compile if it holds a phrase of `subject`, in upper or lower case. A log
    with a phrase of `near_subject` may be about it, and gets only strong answers.
    """

    title: Line
    about: Text
    description: Text
    areas: Annotated[list[Slug], Meta(min_length=1)]
    ways: list[Way] = []
    releases: list[Release] = []
    subject: list[Line] = []
    near_subject: list[Line] = []

    def refusal(self, area: str) -> str:
        """Why the folder `area` may hold no cases; "" if it may."""
        if self.areas and area not in self.areas:
            return f"{area!r} is not an area; use one of {', '.join(self.areas)}"
        if not re.fullmatch(r"[a-z][a-z0-9_]*", area):
            return f"{area!r} is not an area's name; use lower case, digits and _"
        return ""


UNNAMED = Casebook(title="Casebook", about="", description="", areas=[])
"""What stands in for a file that is missing or defective; every folder is an area."""


def load_casebook(catalog: Path) -> tuple[Casebook, list[Problem]]:
    """Read the casebook of the folder `catalog`, and find the defects of its file."""
    path = catalog.parent / FILE
    try:
        source = read_list(path)
        casebook = parse_fields(path, source, Casebook)
    except InvalidPage as error:
        return UNNAMED, error.problems
    except FileNotFoundError:
        return UNNAMED, []
    except OSError as error:
        return UNNAMED, [Problem(path, 0, f"cannot be read ({error.strerror}); fix it")]
    twins = [area for area, count in Counter(casebook.areas).items() if count > 1]
    line = line_of(source, "areas")
    return casebook, [Problem(path, line, f"`areas`: {a!r} appears twice; keep one") for a in twins]


def default_catalog() -> Path:
    """The catalog of the casebook in the working directory; if there is none, our own."""
    here = Path("playbooks").resolve()
    return (here if (here / FILE).is_file() else _OURS / "playbooks") / "catalog"
