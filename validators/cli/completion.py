"""`completion`: what a shell needs to complete commands, options and the names of cases."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from validators.catalog.casebook import default_catalog

_SHELLS = ("bash", "fish", "zsh")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script that completes `casebook`: commands, options and names of cases.

    For example: eval "$(casebook completion bash)"
    """
    maker = get_completion_class(shell)
    assert maker is not None
    root = context.find_root().command
    click.echo(maker(root, {}, "casebook", "_CASEBOOK_COMPLETE").source())


def case_names(
    context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The names of cases that begin as the user's word does, for a shell."""
    places = context.params.get("places")
    catalog: Path = places.catalog if places else default_catalog()
    names = sorted(page.stem for page in catalog.glob("*/*.md"))
    return [CompletionItem(name) for name in names if name.startswith(begun.replace("-", "_"))]
