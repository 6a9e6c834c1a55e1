"""The command line: `python -m validators`. Commands are imported when they are called.

In: arguments and files. Out: text or JSON, and an exit status.
Imports: bisect, catalog, corpus, diagnose, environment, evidence, match, plain, runner.
"""

from __future__ import annotations

import importlib
import sys

import click

from validators import __version__
from validators.errors import run_command
from validators.files import IN_A_CHECKOUT, PROGRAM

_GROUPS = {
    "Find": {
        "match": "Name the cases that explain a log, or answer a query.",
        "show": "Show one case: the fix, its page, verdicts and proof.",
        "list": "List all cases with their verdicts.",
        "status": "Show the matrix of cases and releases.",
        "families": "List all that the compiler can say, and what causes it.",
        "skills": "Add, check and remove the agent skills.",
        "mcp": "Serve an agent over MCP, on stdio.",
    },
    "Your model": {
        "diagnose": "Find what goes wrong when a model is compiled.",
        "scan": "Find compiled code that is wrong and says nothing.",
        "patch": "Offer mechanical fixes as a diff, each verified.",
        "verify-fix": "Say whether AFTER compiles better and computes the same.",
        "compare": "Say what got better or worse between two reports.",
        "repro": "Write a minimal script for an upstream issue.",
        "kernels": "Show a model's kernels for a GPU that you need not have.",
        "audit": "Say what is false in a skill, page or notebook.",
    },
    "Decide": {
        "run": "Decide the named cases.",
        "run-all": "Decide every claim without current evidence here.",
        "examples": "Run the examples of pages, before and after the fix.",
        "soak": "Call the fixed programs often, and with other arguments.",
        "bisect": "Find between which releases verdicts changed.",
        "models": "Run the real models of published packages.",
        "plain": "Compile plain programs, and compare them with eager mode.",
        "silent": "Run the programs of silent errors, beside eager mode.",
        "merge": "Merge evidence that other machines recorded.",
        "rejudge": "Judge recorded reports again, without running anything.",
        "carry": "Keep a GPU's records where changed probes report the same.",
    },
    "Maintain": {
        "check": "Find defects in everything that is written.",
        "new": "Write the page and the proof of a new case.",
        "record": "Decide a case, run its example, soak its fix, and check.",
        "new-entry": "Write the scaffold of a log entry.",
        "draft-entry": "Draft the retrospective of a change.",
        "import-log": "Split a log into entries.",
        "eval": "Give tasks to an agent, with and without the skills.",
        "schema": "Print the JSON Schema of what a command prints or reads.",
        "completion": "Print the script that completes commands in a shell.",
    },
}
"""What each command does in a few words, so that `--help` imports no command."""
_FOLDERS = {"Find": "find", "Your model": "model", "Decide": "decide", "Maintain": "maintain"}
_MODULES = {
    name: f"validators.cli.{_FOLDERS[title]}.{name.replace('-', '_')}"
    for title, group in _GROUPS.items()
    for name in group
} | {
    "list": "validators.cli.find.look",
    "status": "validators.cli.find.look",
    "mcp": "validators.mcp_server.command",
    "run-all": "validators.cli.decide.run",
    "completion": "validators.cli.completion",
}
"""The module of each command; it is that of its own name in the folder of its group, or named."""
_RESUMED = {"run", "run-all", "record", "examples", "soak", "bisect"}
"""The commands that keep what they have done when they are interrupted."""
_EXAMPLES = ("match compile.log", "diagnose model.py:example --python path/to/python")


class _Commands(click.Group):
    """Finds each command in its own module, so that `--help` and `list` start quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        module = importlib.import_module(_MODULES[cmd_name])
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return _named_as_called(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, group in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([*group.items()])
        with formatter.section("Examples"):
            for example in _EXAMPLES:
                formatter.write_text(f"{PROGRAM} {example}")


def _named_as_called(command: click.Command) -> click.Command:
    """Have the help of a command call the program as the user does."""
    command.help = (command.help or "").replace(IN_A_CHECKOUT, PROGRAM)
    for part in command.commands.values() if isinstance(command, click.Group) else ():
        _named_as_called(part)
    return command


def _say_version(context: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        python = ".".join(map(str, sys.version_info[:3]))
        click.echo(f"torch-compile-casebook {__version__}, Python {python}")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the versions of the casebook and of Python.",
)
def cli() -> None:
    """What torch.compile really does: claims that programs have decided, and your own model.

    Exit status: 0 it agrees, 1 it disagrees or found something, 2 wrong usage or invalid content,
    3 a program broke. The help of a command says more.
    """


def main() -> None:
    """Run the command line and exit with its status."""
    resumes = bool({*sys.argv[1:2]} & _RESUMED)
    goes_on = "run it again to go on where it stopped"
    run_command(cli, PROGRAM, goes_on if resumes else "nothing was decided")
