"""Commands that decide claims by running programs, and that keep what they decided.

In: names of cases, interpreters that have torch. Out: verdicts and records.
Imports: bisect, catalog, cli, cluster, corpus, environment, evidence, families, plain, pretended,
probes, runner, silent.
"""
