"""The processes that a run starts and ends: supervisors, workers, their pipes and folders.

In: an interpreter and a task. Out: what the process answered, or how it ended.
Imports: environment, worker.
"""
