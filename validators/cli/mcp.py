"""`mcp`: the casebook as tools and resources for agents that have no shell."""

from __future__ import annotations

import importlib.util
import sys

import click

from validators.cli.places import Places, catalog_option
from validators.errors import CasebookError


@click.command("mcp")
@catalog_option
def mcp_command(places: Places) -> int:
    """Serve match, case, search, diagnose and verify-fix to an agent over MCP, on stdio.

    The agent's client starts this command. `diagnose` and `verify-fix` run the code that the agent
    names, in the working directory of the command and with your rights.

    Needs the official SDK: python -m pip install '.[mcp]' in the repository.

    Exit status: 0 the client is gone, 2 the SDK is missing.
    """
    if not importlib.util.find_spec("mcp"):
        raise CasebookError(
            f"{sys.executable}: lacks the package mcp; "
            "run `python -m pip install '.[mcp]'` in the repository"
        )
    from validators.mcp_server.server import server

    server(places).run("stdio")
    return 0
