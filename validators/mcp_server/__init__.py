"""The casebook over the Model Context Protocol, for agents that have no shell.

It answers with what the command line computes.

In: requests of an agent's client. Out: what the commands answer, as tools.
Imports: catalog, cli, knowing, match.
"""
