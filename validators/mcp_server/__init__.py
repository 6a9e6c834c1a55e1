"""The casebook over the Model Context Protocol, for agents that have no shell.

It answers with what the command line computes.
"""
