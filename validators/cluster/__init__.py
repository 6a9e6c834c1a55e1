"""Run claims on many machines, by Ray.

In: a plan of runs. Out: records, as the runner returns them.
Imports: catalog, environment, evidence, runner.
"""
