"""`schema`: the JSON Schema of what a command prints or reads."""

from __future__ import annotations

import click

from validators.schemas import SCHEMAS, schema_text


@click.command("schema")
@click.argument("name", type=click.Choice(list(SCHEMAS)))
def schema_command(name: str) -> None:
    """Print the JSON Schema of what a command prints with --json, or of a file that it reads.

    For example: python -m validators schema diagnose
    """
    click.echo(schema_text(SCHEMAS[name]), nl=False)
