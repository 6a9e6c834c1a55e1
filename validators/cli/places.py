"""The folders that commands use, found from the option `--catalog`."""

from __future__ import annotations

import datetime
import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from validators.catalog.casebook import default_catalog
from validators.cli.ranges import FiniteRange
from validators.errors import CasebookError
from validators.files import CHECKOUT, IN_A_CHECKOUT, PROGRAM, ROOT, data_folder

_PYTHON = "An interpreter with torch."
_SECONDS = "Seconds for each part."
_JSON = "Print JSON; the command `schema` describes it."


@dataclass(frozen=True)
class Places:
    """The folders that belong to a catalog: its playbooks, its repository, its evidence."""

    catalog: Path

    @property
    def playbooks(self) -> Path:
        """The folder that holds the catalog and what belongs to it."""
        return self.catalog.parent

    @property
    def repository(self) -> Path:
        """The folder that holds playbooks and skills."""
        return self.catalog.parent.parent

    @property
    def committed(self) -> Path:
        """The committed evidence."""
        return self.catalog.parent / "evidence"

    @property
    def local(self) -> Path:
        """The evidence of this machine's runs."""
        return self._made / "evidence"

    @property
    def site(self) -> Path:
        """The built site, which may not be there."""
        return self._made / "site"

    @property
    def logs(self) -> Path:
        """The experiment log."""
        return self.catalog.parent / "logs"

    @property
    def installed(self) -> bool:
        """Whether this is the catalog of an installed package, into which nothing is written."""
        return not CHECKOUT and self.repository == ROOT

    @property
    def _made(self) -> Path:
        return data_folder() if self.installed else self.repository / "build"

    def require_checkout(self, what: str) -> None:
        """Refuse the command `what` for the catalog of an installed package.

        Raises:
            CasebookError: it is one.
        """
        if self.installed:
            raise CasebookError(
                f"{what}: works on the casebook's own files, which an installation only reads; "
                f"run `{IN_A_CHECKOUT} {what}` in a checkout"
            )


def catalog_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--catalog DIR`, passed on as `places`."""
    return click.option(
        "--catalog",
        "places",
        type=click.Path(path_type=Path, file_okay=False),
        default=default_catalog,
        show_default="playbooks/catalog",
        callback=lambda _ctx, _param, value: Places(Path(value).resolve()),
        help="The folder that holds the areas and their cases.",
    )(command)


def checkout_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--catalog DIR` to a command that only has a meaning in a checkout."""

    @functools.wraps(command)
    @click.pass_context
    def run(context: click.Context, /, *args: Any, places: Places, **given: Any) -> Any:
        places.require_checkout(context.command_path.removeprefix(PROGRAM).strip())
        return command(*args, places=places, **given)

    return catalog_option(run)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--json`, passed on as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=_JSON)(command)


def compile_options(**given: Any) -> dict[str, Any]:
    """The options of `torch.compile` that were given."""
    return {name: value for name, value in given.items() if value is not None}


def target_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what every command that runs a user's target has: `--python` to `--timeout`."""
    devices = click.Choice(["cpu", "cuda"])
    device = click.option("--device", type=devices, default="cpu", show_default=True)
    return _python(device(_compile(command)))


def compiled_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what a command has that only compiles a user's target: all but `--device`."""
    return _python(_compile(command))


def _python(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--python", default=sys.executable, metavar="P", help=_PYTHON)(command)


def _compile(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--timeout",
            type=FiniteRange(0, min_open=True),
            default=300.0,
            show_default=True,
            metavar="S",
            help=_SECONDS,
        ),
        click.option("--dynamic/--no-dynamic", default=None, help="`dynamic` of torch.compile."),
        click.option("--mode", help="`mode` of torch.compile."),
    ):
        command = option(command)
    return command


def date_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--date YYYY-MM-DD`, today by default, passed on as `date`."""
    return click.option(
        "--date",
        type=click.DateTime(["%Y-%m-%d"]),
        default=lambda: datetime.date.today().isoformat(),
        show_default="today",
        help="The day of the entry.",
    )(command)


def from_here(path: Path) -> Path:
    """`path` as it is written from the working directory, if it lies below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
