"""The command line: `python -m validators`. Commands are imported when they are called."""

from __future__ import annotations

import importlib
import sys

import click

from validators.errors import run_command
from validators.files import ROOT

DISTRIBUTION = "torch-compile-casebook"

_COMMANDS = {
    "audit": (
        "validators.cli.audit",
        "Say what is false in a skill, page or notebook on torch.compile, and on which release.",
    ),
    "bisect": (
        "validators.cli.bisect",
        "Find between which two releases the verdicts of cases changed on the CPU.",
    ),
    "check": (
        "validators.cli.check",
        "Find defects in pages, proofs, citations, figures, logs, sources, skills and evidence.",
    ),
    "compare": (
        "validators.cli.compare",
        "Say what got better or worse between two reports of diagnose, or between two benchmarks.",
    ),
    "diagnose": (
        "validators.cli.diagnose",
        "Find what goes wrong when a model is compiled, and name the cases that explain it.",
    ),
    "draft-entry": (
        "validators.cli.draft_entry",
        "Draft the retrospective of what changed from X to Y; you add only the reasons.",
    ),
    "eval": (
        "validators.cli.eval",
        "Give tasks to an agent, with and without the skills, and grade what it changes.",
    ),
    "examples": (
        "validators.cli.examples",
        "Run the examples of all pages, or of the named ones, before and after the fix.",
    ),
    "families": (
        "validators.cli.families",
        "List all that the compiler can say, and the cases that cause it; KEY shows one of them.",
    ),
    "import-log": (
        "validators.cli.import_log",
        "Split the log FILE into entries, one file each.",
    ),
    "kernels": (
        "validators.cli.kernels",
        "Show what a model is compiled to for a GPU that this machine need not have.",
    ),
    "list": ("validators.cli.look", "List all cases with their verdicts, one per line."),
    "match": (
        "validators.cli.match",
        "Name the cases that answer a query, or explain a log or a traceback.",
    ),
    "merge": (
        "validators.cli.merge",
        "Merge evidence that other machines recorded into playbooks/evidence.",
    ),
    "mcp": (
        "validators.cli.mcp",
        "Serve match, case, search, diagnose and verify-fix to an agent over MCP, on stdio.",
    ),
    "models": (
        "validators.cli.models",
        "Run the real models of published packages, and say what explains what breaks in them.",
    ),
    "new": (
        "validators.cli.new",
        "Write the page and the proof of a new case; NAME is its permanent id.",
    ),
    "new-entry": (
        "validators.cli.new_entry",
        "Write the scaffold of a log entry; `check` refuses it until you rewrite it.",
    ),
    "patch": (
        "validators.cli.patch",
        "Offer the fixes of a model that are mechanical, as a diff, each proved by verify-fix.",
    ),
    "repro": (
        "validators.cli.repro",
        "Write a minimal script for an upstream issue, and check that it fails in the same way.",
    ),
    "run": (
        "validators.cli.run",
        "Decide the named cases, even if their evidence is current.",
    ),
    "run-all": (
        "validators.cli.run",
        "Decide every claim that has no current evidence on this machine.",
    ),
    "schema": (
        "validators.cli.schema",
        "Print the JSON Schema of what a command prints with --json, or of a file that it reads.",
    ),
    "show": (
        "validators.cli.show",
        "Show one case: what happens, the fix, its page, its verdicts and its proof.",
    ),
    "skills": (
        "validators.cli.skills",
        "Make the generated files of the agent skills, check them, and raise their versions.",
    ),
    "status": (
        "validators.cli.look",
        "Show the matrix of cases and columns, and what the claims about CUDA rest on.",
    ),
    "verify-fix": (
        "validators.cli.verify_fix",
        "Say whether AFTER compiles better than BEFORE, and computes the same.",
    ),
}
"""Each command's module and the first sentence of its help, so that `--help` imports no module."""


class _Commands(click.Group):
    """Finds each command in its own module, so that `--help` and `list` start quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(_COMMANDS[cmd_name][0])
        command: click.Command = getattr(module, cmd_name.replace("-", "_") + "_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])


def _version() -> str:
    """The casebook's version, as it is installed or, where it is not, as its checkout says."""
    from importlib import metadata

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        import tomllib

        text = (ROOT / "pyproject.toml").read_text("utf-8")
        return str(tomllib.loads(text)["project"]["version"])


def _say_version(context: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        python = ".".join(map(str, sys.version_info[:3]))
        click.echo(f"{DISTRIBUTION} {_version()}, Python {python}")
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
    """Decide claims by running them.

    Exit status: 0 all verdicts agree with the catalog, 1 some disagree or a case exceeds an
    enforced budget, 2 wrong usage or invalid content, 3 an arm broke. An unstable verdict is
    listed; it disagrees only if the verdict of each of its repeats does.
    """


def main() -> None:
    """Run the command line and exit with its status."""
    run_command(cli, "python -m validators", "run it again to go on where it stopped")
