"""Measure what the skills do for an agent: tasks, a grader, a runner, and what came out."""
