"""Fixes: verified call by call, judged by what was measured, and tried on the target itself.

In: a target before and after a change. Out: whether it compiles better and computes the same.
Imports: diagnose.findings, diagnose.masking, diagnose.target, environment, inspector, runner.
"""
