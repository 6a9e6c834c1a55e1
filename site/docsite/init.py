"""`init`: writes a small, complete casebook that users then rewrite case by case."""

from __future__ import annotations

import datetime
import json
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from validators.errors import CasebookError

_STARTER = Path(__file__).parent / "starter"


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", help="The casebook's title.  [default: the name of FOLDER]")
def init_command(folder: Path, title: str | None) -> None:
    """Write a casebook of your own into FOLDER: a site, a case, a guide, a skill and a log."""
    if title is None:
        words = re.sub(r"[-_\s]+", " ", folder.resolve().name)
        title = words[:1].upper() + words[1:] or "Casebook"
    write_starter(folder, title)
    click.echo(f"wrote {folder}; now: cd {shlex.quote(str(folder))} && make run")


def write_starter(folder: Path, title: str, python: str = sys.executable) -> None:
    """Write a casebook called `title` into `folder`; its Makefile takes `python`.

    Raises:
        CasebookError: `folder` is a file or is not empty (`.git` may be there), or `title` is not a
            line of text.
        OSError: a file cannot be written.
    """
    if not title.strip() or not title.isprintable():
        raise CasebookError("--title: is not a line of text; name the casebook in words")
    if folder.exists() and not folder.is_dir():
        raise CasebookError(f"{folder}: is a file; name a new folder")
    if folder.exists() and any(it.name != ".git" for it in folder.iterdir()):
        raise CasebookError(f"{folder}: is not empty; name a new or an empty folder")
    values = {
        "TITLE": title,
        "YAML_TITLE": json.dumps(title, ensure_ascii=False),
        "TODAY": datetime.date.today().isoformat(),
        "PYTHON": python.replace("$", "$$").replace("#", r"\#"),
    }
    for template in sorted(_STARTER.rglob("*.txt")):
        place = str(template.relative_to(_STARTER)).removesuffix(".txt")
        file = folder / _filled(place, values)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_filled(template.read_text(encoding="utf-8"), values), encoding="utf-8")


def _filled(text: str, values: Mapping[str, str]) -> str:
    """`text` with a value in place of each `@NAME@`."""
    return re.sub(r"@([A-Z_]+)@", lambda match: values[match[1]], text)
