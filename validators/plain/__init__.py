"""Plain programs: what a textbook has, compiled in each mode and compared with eager mode.

In: plain programs and an interpreter. Out: outcomes, and records of them.
Imports: catalog, diagnose, environment, evidence.
"""
