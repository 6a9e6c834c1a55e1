"""What a user wants diagnosed, and how a worker is asked about it.

In: what a user wrote on the command line. Out: questions to a worker, and its answers.
Imports: diagnose.findings, diagnose.masking, environment, runner.
"""
