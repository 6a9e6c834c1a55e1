"""Commands about a user's own model: what goes wrong in it, and whether a fix helps.

In: a target, as "file.py:example" or a script. Out: reports; torch is never imported here.
Imports: audit, catalog, cli, compiled, diagnose, environment, knowing, patch, pretended, repro,
silent.
"""
