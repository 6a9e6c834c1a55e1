"""The runner: plans what has to run, runs it in workers, and decides verdicts. Never torch.

In: a catalog, interpreters, what is already recorded. Out: verdicts and records.
Imports: catalog, environment, evidence, families, probes, runner.processes.
"""
