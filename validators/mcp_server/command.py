"""`mcp`: the casebook as tools and resources for agents that have no shell."""

from __future__ import annotations

import click

from validators.cli.places import Places, catalog_option


@click.command("mcp")
@catalog_option
def mcp_command(places: Places) -> int:
    """Serve match, case, search, diagnose and verify-fix to an agent over MCP, on stdio.

    The agent's client starts this command. `diagnose` and `verify-fix` run the code that the agent
    names, in the working directory of the command and with your rights.

    Exit status: 0 the client is gone.
    """
    from validators.mcp_server.server import server

    server(places).run("stdio")
    return 0
