"""Commands that find what is known: cases by a log, a query or a release, and the agent skills.

In: words, files of logs, names of cases. Out: text or JSON; no program runs.
Imports: catalog, cli, environment, evidence, families, knowing, match, silent, skillpack.
"""
