"""Two reports or benchmarks beside each other: counts, findings, times with intervals.

In: two reports. Out: what got better or worse.
Imports: diagnose.findings, diagnose.fix.
"""
