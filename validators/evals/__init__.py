"""Measure what the skills do for an agent: tasks, a grader, a runner, and what came out.

In: tasks and an agent's command. Out: what the agent left, graded.
Imports: catalog, diagnose, environment, probes.
"""
