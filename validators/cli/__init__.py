"""The command line: `python -m validators`. Commands are imported when they are called."""

from __future__ import annotations

import importlib

import click

from validators.errors import run_command

_COMMANDS = {
    "check": "validators.cli.check",
    "list": "validators.cli.look",
    "new": "validators.cli.new",
    "run": "validators.cli.run",
    "run-all": "validators.cli.run",
    "show": "validators.cli.look",
    "status": "validators.cli.look",
}


class _Commands(click.Group):
    """Finds each command in its own module, so that `--help` and `list` start quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(_COMMANDS[cmd_name])
        command: click.Command = getattr(module, cmd_name.replace("-", "_") + "_command")
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Decide claims about torch.compile by running them.

    Exit status: 0 verdicts agree with the catalog, 1 some disagree, 2 usage or invalid content,
    3 an arm broke.
    """


def main() -> None:
    """Run the command line and leave with its exit status."""
    run_command(cli, "python -m validators", "a run goes on where it stopped when it is repeated")
